import type { HomeCallRequest, HomeCallResult } from '../../core/home/home-port.ts';
import { type HomeError, toHomeError } from './home-error.ts';
import type { HomeSession } from './home-session.ts';
import type { OwnCall } from './own-calls.ts';

const targetKeys = ['entity_id', 'device_id', 'area_id', 'floor_id', 'label_id'];

/** Refuses data that would widen the call beyond its one entity. */
export function widensTarget(data: HomeCallRequest['data']): boolean {
	return data !== undefined && targetKeys.some((key) => key in data);
}

/**
 * Sends one service call and says what is known when the answer, the deadline, the abort or the loss comes. Whatever
 * comes later still teaches `own` that the call's context is ours.
 */
export function sendCall(session: HomeSession, request: HomeCallRequest, own: OwnCall): Promise<HomeCallResult> {
	const answer = session.send(toMessage(request));
	return new Promise((resolve) => {
		const finish = (result: HomeCallResult) => {
			clearTimeout(timer);
			request.signal?.removeEventListener('abort', onDeadline);
			resolve(result);
		};
		const onDeadline = () => {
			own.abandoned();
			finish({ kind: 'in_doubt', reason: 'deadline' });
		};
		const timer = setTimeout(onDeadline, Math.max(0, request.deadlineMs));
		request.signal?.addEventListener('abort', onDeadline);
		answer.then(
			(value) => {
				const { id, userId } = contextOf(value);
				own.answered(id, userId);
				finish({ kind: 'ok', contextId: id });
			},
			(thrown: unknown) => {
				const error = toHomeError(thrown);
				if (error.code === 'connection_lost') own.abandoned();
				else own.refused();
				finish(toResult(error));
			},
		);
	});
}

function toResult(error: HomeError): HomeCallResult {
	if (error.code === 'not_sent') return { kind: 'unreachable' };
	if (error.code === 'connection_lost') return { kind: 'in_doubt', reason: 'lost' };
	return { kind: 'rejected', code: error.code, message: error.message };
}

function toMessage({ domain, service, entityId, data }: HomeCallRequest) {
	const message = { type: 'call_service', domain, service, target: { entity_id: entityId } };
	return data === undefined ? message : { ...message, service_data: { ...data } };
}

function contextOf(value: unknown): { readonly id: string; readonly userId: string | undefined } {
	const context = typeof value === 'object' && value !== null && 'context' in value ? value.context : undefined;
	const parts = typeof context === 'object' && context !== null ? (context as Record<string, unknown>) : {};
	const userId = parts['user_id'];
	return { id: String(parts['id'] ?? ''), userId: typeof userId === 'string' ? userId : undefined };
}
