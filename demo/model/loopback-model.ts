import type { ModelControl } from './model-control.ts';
import type { ModelScript } from './model-script.ts';

export interface LoopbackModelOptions {
	/** 0 or nothing: a free one. */
	port?: number;
	/** Answers where nothing is queued. Default: the room's scripted rules. */
	script?: ModelScript;
	/** Epoch milliseconds. */
	now?: () => number;
	/** The models it has; without a list it has whatever it is asked for. */
	models?: string[];
	/** What it says about its size. Default: `a page of rules`. */
	parameterSize?: string;
	/** Pause between two pieces of a streamed answer. Default 0. */
	chunkDelayMs?: number;
}

/** A running stand-in for a model server, on 127.0.0.1 only. */
export interface LoopbackModel {
	url: string;
	port: number;
	control: ModelControl;
	close(): Promise<void>;
}
