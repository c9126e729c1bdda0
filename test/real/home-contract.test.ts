import { inject } from 'vitest';
import { homeContract } from '../contract/home/home-contract.ts';
import { createRealRig } from '../contract/home/real-rig.ts';
import { startRealHome } from '../support/real-home.ts';

homeContract('real Home Assistant', async () => {
	const real = await startRealHome({ dataDir: inject('dataDir'), say: (line) => console.log(line) });
	if ('skipped' in real) throw new Error(real.skipped);
	return createRealRig(real);
});
