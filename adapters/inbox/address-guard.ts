import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';

/** Addresses that are nobody's on the open network. */
const PRIVATE: readonly [string, number, 'ipv4' | 'ipv6'][] = [
	['0.0.0.0', 8, 'ipv4'],
	['10.0.0.0', 8, 'ipv4'],
	['100.64.0.0', 10, 'ipv4'],
	['127.0.0.0', 8, 'ipv4'],
	['172.16.0.0', 12, 'ipv4'],
	['192.0.0.0', 24, 'ipv4'],
	['192.0.2.0', 24, 'ipv4'],
	['192.168.0.0', 16, 'ipv4'],
	['198.18.0.0', 15, 'ipv4'],
	['198.51.100.0', 24, 'ipv4'],
	['203.0.113.0', 24, 'ipv4'],
	['224.0.0.0', 4, 'ipv4'],
	['240.0.0.0', 4, 'ipv4'],
	['::', 128, 'ipv6'],
	['::1', 128, 'ipv6'],
	['100::', 64, 'ipv6'],
	['2001:db8::', 32, 'ipv6'],
	['fc00::', 7, 'ipv6'],
	['fec0::', 10, 'ipv6'],
	['ff00::', 8, 'ipv6'],
];

/** Here cloud machines hand out their credentials: refused whatever is allowed. */
const NEVER: readonly [string, number, 'ipv4' | 'ipv6'][] = [
	['169.254.0.0', 16, 'ipv4'],
	['100.100.100.200', 32, 'ipv4'],
	['fe80::', 10, 'ipv6'],
	['fd00:ec2::254', 128, 'ipv6'],
];

const listOf = (ranges: typeof PRIVATE): BlockList => {
	const list = new BlockList();
	for (const [address, bits, family] of ranges) list.addSubnet(address, bits, family);
	return list;
};
const privateList = listOf(PRIVATE);
const neverList = listOf(NEVER);

/** The IPv4 address inside an IPv6 one that only carries it (mapped, compatible, NAT64, 6to4). */
function embedded(address: string): string | undefined {
	const groups = new URL(`http://[${address}]/`).hostname.slice(1, -1).split('::');
	const left = (groups[0] ?? '').split(':').filter(Boolean);
	const right = groups.length === 2 ? (groups[1] ?? '').split(':').filter(Boolean) : [];
	const words = [...left, ...Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right].map(
		(word) => Number.parseInt(word, 16),
	);
	const dotted = (high: number, low: number) => `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
	const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = words;
	const isZero = (...parts: number[]) => parts.every((part) => part === 0);
	if (isZero(a, b, c, d, e) && (f === 0xffff || f === 0) && !isZero(g)) return dotted(g, h);
	if (a === 0x64 && b === 0xff9b) return dotted(g, h);
	if (a === 0x2002) return dotted(b, c);
	return undefined;
}

/** Whether an address may be connected to. */
export function isAllowedAddress(address: string, allowPrivate: boolean): boolean {
	const bare = address.replace(/%.*$/, '');
	const family = isIP(bare);
	if (family === 0) return false;
	const kind = family === 4 ? 'ipv4' : 'ipv6';
	const inner = family === 6 ? embedded(bare) : undefined;
	if (inner !== undefined) return isAllowedAddress(inner, allowPrivate);
	if (neverList.check(bare, kind)) return false;
	return allowPrivate || !privateList.check(bare, kind);
}

export type PinnedAddress =
	| { readonly ok: true; readonly address: string; readonly family: 4 | 6 }
	| { readonly ok: false; readonly why: 'not_found' | 'refused' };

export type Lookup = (host: string) => Promise<readonly { address: string; family: number }[]>;

const systemLookup: Lookup = (host) => lookup(host, { all: true, verbatim: true });

/**
 * Finds the address of a host and checks it. A name with any forbidden address is refused altogether. Connect to the address
 * found here: asked again, a name may lead somewhere else.
 */
export async function pinAddress(
	host: string,
	allowPrivate: boolean,
	ask: Lookup = systemLookup,
): Promise<PinnedAddress> {
	const bare = host.replace(/^\[|\]$/g, '');
	const family = isIP(bare);
	const found = family === 0 ? await ask(bare).catch(() => []) : [{ address: bare, family }];
	const [first] = found;
	if (!first) return { ok: false, why: 'not_found' };
	if (!found.every(({ address }) => isAllowedAddress(address, allowPrivate))) return { ok: false, why: 'refused' };
	return { ok: true, address: first.address, family: first.family === 6 ? 6 : 4 };
}
