import { type FleetVerdict, judgeFleetScene } from './judge.ts';
import { type PlayDeps, playFleetScene } from './play.ts';
import type { FleetScene } from './scene.ts';

/** Plays groups of scenes one after the other; `onVerdict` hears each as soon as it is judged. */
export async function runFleetScenes(
	groups: Readonly<Record<string, readonly FleetScene[]>>,
	deps: PlayDeps,
	onVerdict: (group: string, verdict: FleetVerdict) => void = () => undefined,
): Promise<Map<string, FleetVerdict[]>> {
	const verdicts = new Map<string, FleetVerdict[]>();
	for (const [group, scenes] of Object.entries(groups)) {
		const own: FleetVerdict[] = [];
		verdicts.set(group, own);
		for (const scene of scenes) {
			const verdict = judgeFleetScene(scene, await playFleetScene(scene, deps));
			own.push(verdict);
			onVerdict(group, verdict);
		}
	}
	return verdicts;
}
