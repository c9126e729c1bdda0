import { benchGate } from './gate.ts';
import { benchIntake } from './intake.ts';
import { benchMessagePath } from './message-path.ts';

/** Prints the project's figures as ratios within one run. Absolute times depend on the machine; ratios much less. */
const messages = Number(process.env.BENCH_MESSAGES ?? 200);
const print = (line: string) => process.stdout.write(`${line}\n`);

print(`node ${process.version}, ${process.platform} ${process.arch}`);
print('\nTime of one message: household and a bare discord.js bot in turn (p50 / p99, ratio of each)');
print(`${''.padEnd(34)} ${'household'.padEnd(20)} ${'bare bot'.padEnd(20)} ratio`);
for (const line of await benchMessagePath(messages)) print(line);
print('\nGate at a 2 s tick, one process');
for (const line of await benchGate()) print(line);
print('\nIntakes on one worker process, beyond the time of the model');
for (const line of await benchIntake()) print(line);
process.exit(0);
