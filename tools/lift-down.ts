import { createLiftTool } from './lift/lift-tool.ts';

export const liftDown = createLiftTool('down');
