import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import SWIPL from 'swipl-wasm/dist/swipl-node.js';
import { type WasmInstance, type WasmMemory, type WasmModule, wasm } from './wasm.ts';

/** One policy file: the name people know it by, and its Prolog text. */
export interface PolicyFile {
	readonly name: string;
	readonly text: string;
}

/** A predicate that a packet's facts may use. */
export interface FactPredicate {
	readonly name: string;
	readonly arity: number;
}

export interface EngineSetup {
	readonly policyFiles: readonly PolicyFile[];
	readonly factPredicates: readonly FactPredicate[];
	/** `none` loads bodies unseen; what they then do is stopped by the limits alone. */
	readonly vetting: 'strict' | 'none';
	readonly inferences: number;
	readonly stackBytes: number;
	/** Ceiling of the engine's whole memory. Beyond it the engine breaks and is thrown away. */
	readonly memoryBytes: number;
	readonly maxFindings: number;
	/** The compiled engine, so that the next one starts faster. */
	readonly module: WasmModule;
}

interface PolicyEngine {
	/** What loading gave, as the engine said it. */
	readonly loaded: EngineLoad;
	/** Puts one packet to the policies. Throws when the engine broke; it is of no use afterwards. */
	evaluate(packet: PacketFacts): EngineAnswer;
}

/** As the engine gave it; nothing about its shape is sure. */
export interface EngineLoad {
	readonly outcome: unknown;
	readonly rows: unknown;
}

/** Canonical facts, one a line. */
export interface PacketFacts {
	readonly requirements: string;
	readonly metadata: string;
}

export interface EngineAnswer {
	readonly status: unknown;
	readonly findings: unknown;
	/** True when the policy wrote anything, which no policy has a reason to do. */
	readonly isNoisy: boolean;
	readonly memoryBytes: number;
}

const PAGE_BYTES = 65_536;
const resolve = createRequire(import.meta.url).resolve;
const driverUrl = new URL('./policy-driver.pl', import.meta.url);

/** Compiles the engine once; the result can be sent to any worker. */
export async function compileEngine(): Promise<WasmModule> {
	return await wasm.compile(readFileSync(resolve('swipl-wasm/dist/swipl/swipl-web.wasm')));
}

/** Growth beyond the ceiling fails the way it does on a full machine. */
function capMemory(memory: WasmMemory, bytes: number): void {
	const grow = memory.grow.bind(memory);
	memory.grow = (pages: number) => {
		if (memory.buffer.byteLength + pages * PAGE_BYTES > bytes) throw new RangeError('memory ceiling of the engine');
		return grow(pages);
	};
}

const isMemory = (value: unknown): value is WasmMemory => value instanceof wasm.Memory;

/**
 * Starts SWI-Prolog in this thread and loads the policies into it. For worker threads: an evaluation blocks the thread,
 * and only ending the thread stops one that loops.
 */
export async function createPolicyEngine(setup: EngineSetup): Promise<PolicyEngine> {
	let memory: WasmMemory | undefined;
	let written = 0;
	const noteOutput = () => {
		written += 1;
	};
	const options = {
		arguments: ['-q', '-f', 'none', '--no-packs'],
		print: noteOutput,
		printErr: noteOutput,
		instantiateWasm(imports: unknown, done: (instance: WasmInstance) => void) {
			void wasm.instantiate(setup.module, imports).then((instance) => {
				memory = Object.values(instance.exports).find(isMemory);
				if (memory) capMemory(memory, setup.memoryBytes);
				done(instance);
			});
			return {};
		},
	};
	const swipl = await SWIPL(options as Parameters<typeof SWIPL>[0]);
	if (!memory) throw new Error('the engine shows no memory that could be capped');
	const heap = memory;
	// Texts come as objects of the bridge, which cannot be sent to another thread; as JSON they are plain.
	const ask = (goal: string, input: Record<string, unknown> = {}) =>
		JSON.parse(JSON.stringify(swipl.prolog.query(goal, input).once())) as Record<string, unknown>;

	swipl.FS.writeFile('/policy-driver.pl', readFileSync(driverUrl, 'utf8'));
	const started = ask(`set_prolog_flag(stack_limit, ${setup.stackBytes}), use_module('/policy-driver.pl')`);
	if (started['success'] !== true || written > 0) throw new Error('the policy driver does not load');
	const load = ask('policy_driver:load_policies(Files, Facts, Vetting, Outcome, Rows)', {
		Files: setup.policyFiles.map((file) => [file.name, file.text]),
		Facts: setup.factPredicates.map((fact) => [fact.name, fact.arity]),
		Vetting: setup.vetting,
	});
	return {
		loaded: { outcome: load['Outcome'], rows: load['Rows'] },
		evaluate({ requirements, metadata }) {
			written = 0;
			const goal = 'policy_driver:evaluate(Requirements, Metadata, Inferences, Most, Status, Findings)';
			const input = {
				Requirements: requirements,
				Metadata: metadata,
				// The bridge hands over 32-bit integers.
				Inferences: Math.min(setup.inferences, 2_147_483_647),
				Most: setup.maxFindings,
			};
			const answer = ask(goal, input);
			return {
				status: answer['Status'],
				findings: answer['Findings'],
				isNoisy: written > 0,
				memoryBytes: heap.buffer.byteLength,
			};
		},
	};
}
