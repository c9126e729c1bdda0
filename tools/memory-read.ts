import { defineTool } from './tool.ts';

export const memoryRead = defineTool({
	name: 'memory_read',
	repeatable: true,
	readOnly: true,
	timeLimitMs: () => 10_000,
	async run({ memory, roomId }) {
		const [one, two, three] = await memory.read(roomId);
		return { kind: 'confirmed', summary: 'read the notes', result: { 1: one, 2: two, 3: three } };
	},
});
