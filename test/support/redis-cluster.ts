import { Redis } from 'ioredis';
import { eventually } from './redis.ts';
import { startTcpRedis } from './tcp-redis.ts';

/** Slots of three nodes. */
const RANGES = [
	[0, 5_460],
	[5_461, 10_922],
	[10_923, 16_383],
] as const;

/** A real cluster of three servers on 127.0.0.1. */
export async function startTestCluster(): Promise<{ url: string; close(): Promise<void> }> {
	const flags = ['--cluster-enabled', 'yes', '--cluster-node-timeout', '5000', '--save', ''];
	const nodes = await Promise.all(RANGES.map(() => startTcpRedis(flags)));
	const admins = nodes.map((node) => new Redis(node.port, '127.0.0.1'));
	const close = async () => {
		for (const admin of admins) admin.disconnect();
		await Promise.all(nodes.map((node) => node.kill()));
	};
	try {
		for (const [index, admin] of admins.entries()) {
			const [from, to] = RANGES[index] ?? [0, 0];
			await admin.call('CLUSTER', 'ADDSLOTS', ...Array.from({ length: to - from + 1 }, (_, slot) => from + slot));
			await admin.call('CLUSTER', 'MEET', '127.0.0.1', String(nodes[0]?.port));
		}
		await eventually(
			'the cluster is whole',
			async () => {
				const infos = await Promise.all(admins.map((admin) => admin.call('CLUSTER', 'INFO')));
				return infos.every((info) => /cluster_state:ok[\s\S]*cluster_known_nodes:3/.test(String(info)));
			},
			60_000,
		);
	} catch (error) {
		await close();
		throw error;
	}
	return { url: `redis+cluster://${nodes.map((node) => `127.0.0.1:${node.port}`).join(',')}`, close };
}
