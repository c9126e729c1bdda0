import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ModelControl, ReceivedRequest } from './model-control.ts';
import type { ModelStep, StreamCut } from './model-step.ts';

export interface StreamPlan {
	contentType: string;
	/** One entry per piece of the answer, each written in one go. */
	pieces: string[];
	/** What ends the stream properly. */
	closing: string[];
	/** The provider's error inside a stream. */
	errorPiece: string;
	chunkDelayMs: number;
	cut?: StreamCut;
}

/** Writes a streamed answer with its planned accident, if any; tells how it ended. */
export async function writeStream(
	control: ModelControl,
	response: ServerResponse,
	plan: StreamPlan,
	entry: ReceivedRequest,
): Promise<ReceivedRequest['outcome']> {
	response.writeHead(200, { 'content-type': plan.contentType, 'cache-control': 'no-store' });
	response.flushHeaders();
	const pieces = plan.cut ? plan.pieces.slice(0, plan.cut.afterChunks) : [...plan.pieces, ...plan.closing];
	for (const piece of pieces) {
		if (response.destroyed) return 'aborted';
		// Before the last piece, so that whoever has the whole answer also finds it recorded.
		if (!plan.cut && piece === pieces.at(-1)) entry.outcome = 'answered';
		response.write(piece);
		// A turn of the loop between two pieces keeps them separate reads for the client.
		await (plan.chunkDelayMs > 0 ? sleep(plan.chunkDelayMs) : new Promise((resolve) => setImmediate(resolve)));
	}
	switch (plan.cut?.how) {
		case undefined:
			response.end();
			return 'answered';
		case 'error':
			response.end(plan.errorPiece);
			return 'failed';
		case 'end':
			response.end();
			return 'failed';
		case 'reset':
			response.destroy();
			return 'failed';
		case 'hang':
			return hang(control, response);
	}
}

/** Says nothing until released or until the client goes away. */
function hang(control: ModelControl, response: ServerResponse): Promise<ReceivedRequest['outcome']> {
	return new Promise((resolve) => {
		const forget = control.onRelease(() => {
			resolve('failed');
			response.destroy();
		});
		response.once('close', () => {
			forget();
			resolve('aborted');
		});
		if (response.destroyed) {
			forget();
			resolve('aborted');
		}
	});
}

type AccidentStep = Extract<ModelStep, { kind: 'raw' | 'hang' | 'drop' }>;

/** The accidents that look the same for every provider. */
export async function playAccident(
	control: ModelControl,
	response: ServerResponse,
	step: AccidentStep,
	contentType: string,
): Promise<ReceivedRequest['outcome']> {
	switch (step.kind) {
		case 'drop':
			response.destroy();
			return 'failed';
		case 'hang':
			if (step.where === 'body') {
				response.writeHead(200, { 'content-type': contentType });
				response.flushHeaders();
			}
			return hang(control, response);
		case 'raw': {
			response.writeHead(step.status ?? 200, { 'content-type': step.contentType ?? contentType });
			response.flushHeaders();
			for (const line of step.lines) {
				response.write(`${line}\n`);
				await new Promise((resolve) => setImmediate(resolve));
			}
			if (step.end === 'hang') return hang(control, response);
			if (step.end === 'reset') {
				// The lines first, then the reset.
				await new Promise((resolve) => setTimeout(resolve, 20));
				response.destroy();
				return 'failed';
			}
			response.end();
			return 'answered';
		}
	}
}
