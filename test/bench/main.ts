import { benchFleet } from './fleet.ts';
import { benchGate } from './gate.ts';
import { benchIntake } from './intake.ts';
import { benchMessagePath } from './message-path.ts';

/** Prints the project's figures as ratios within one run. Absolute times depend on the machine; ratios much less. */
const messages = Number(process.env.BENCH_MESSAGES ?? 200);
const [only] = process.argv.slice(2);
const print = (line: string) => process.stdout.write(`${line}\n`);

const parts = {
	messages: {
		title: 'Time of one message: household and a bare discord.js bot in turn (p50 / p99, ratio of each)',
		lines: async () => [
			`${''.padEnd(34)} ${'household'.padEnd(20)} ${'bare bot'.padEnd(20)} ratio`,
			...(await benchMessagePath(messages)),
		],
	},
	gate: { title: 'Gate at a 2 s tick, one process', lines: benchGate },
	intake: { title: 'Intakes on one worker process, beyond the time of the model', lines: benchIntake },
	fleet: {
		title: 'Fleet: reports over HTTP from another process, beside plain XADD of as many bytes in as large requests',
		lines: benchFleet,
	},
};

if (only !== undefined && !Object.hasOwn(parts, only)) {
	throw new Error(`no figures called ${only}; there are ${Object.keys(parts).join(', ')}`);
}
print(`node ${process.version}, ${process.platform} ${process.arch}`);
for (const [name, { title, lines }] of Object.entries(parts)) {
	if (only !== undefined && only !== name) continue;
	print(`\n${title}`);
	for (const line of await lines()) print(line);
}
process.exit(0);
