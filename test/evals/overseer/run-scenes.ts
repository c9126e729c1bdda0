import type { Model } from '../../../core/model/model-port.ts';
import type { PromptTexts } from '../../../prompts/render.ts';
import { judgePlay, type Verdict } from './judge.ts';
import { playScene } from './play.ts';
import type { Scene } from './scene.ts';

/** Plays groups of scenes one after the other; `onVerdict` hears each as soon as it is judged. */
export async function runScenes(
	groups: Readonly<Record<string, readonly Scene[]>>,
	deps: { model: Model; texts: PromptTexts; deadlineMs: number },
	onVerdict: (group: string, verdict: Verdict) => void = () => undefined,
): Promise<Map<string, Verdict[]>> {
	const verdicts = new Map<string, Verdict[]>();
	for (const [group, scenes] of Object.entries(groups)) {
		const own: Verdict[] = [];
		verdicts.set(group, own);
		for (const scene of scenes) {
			const verdict = judgePlay(scene, await playScene(scene, deps));
			own.push(verdict);
			onVerdict(group, verdict);
		}
	}
	return verdicts;
}
