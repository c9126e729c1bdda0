import { createLiftTool } from './lift/lift-tool.ts';

export const liftUp = createLiftTool('up');
