import { defineTool } from './tool.ts';

export const memoryWrite = defineTool({
	name: 'memory_write',
	timeLimitMs: () => 10_000,
	async run({ memory, roomId }, { slot, text }) {
		await memory.write(roomId, slot, text);
		return { kind: 'confirmed', summary: `wrote note ${slot}` };
	},
	stands: async ({ memory, roomId }, { slot, text }) => (await memory.read(roomId))[slot - 1] === text,
});
