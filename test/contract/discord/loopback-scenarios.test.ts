import { discordScenarios } from './discord-scenarios.ts';
import { createLoopbackRig } from './loopback-rig.ts';

discordScenarios('the loopback Discord', createLoopbackRig);
