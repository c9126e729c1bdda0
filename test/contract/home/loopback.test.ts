import { homeContract } from './home-contract.ts';
import { createLoopbackRig } from './loopback-rig.ts';

homeContract('loopback Home Assistant', createLoopbackRig);
