/**
 * A signal that fires with the first of several. It holds on to them, which `AbortSignal.any` does not in every Node: there a
 * time limit that nobody else keeps is collected as garbage and never comes.
 */
export function anySignal(signals: readonly AbortSignal[]): AbortSignal {
	const signal = AbortSignal.any([...signals]);
	Object.defineProperty(signal, 'heldSignals', { value: signals });
	return signal;
}
