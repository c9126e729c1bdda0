/** The part of WebAssembly that is used here; the types of Node 20 leave it out. */
declare const compiled: unique symbol;

/** A compiled program; it can be sent to worker threads. */
export interface WasmModule {
	readonly [compiled]: never;
}

export interface WasmMemory {
	readonly buffer: ArrayBuffer;
	grow(pages: number): number;
}

export interface WasmInstance {
	readonly exports: Readonly<Record<string, unknown>>;
}

interface Wasm {
	compile(bytes: Uint8Array): Promise<WasmModule>;
	instantiate(module: WasmModule, imports: unknown): Promise<WasmInstance>;
	Memory: new (size: { initial: number }) => WasmMemory;
}

export const wasm: Wasm = (globalThis as unknown as { WebAssembly: Wasm }).WebAssembly;
