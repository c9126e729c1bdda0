/** What a rule decides, in the schema every model answers in. */
export interface ScriptedDecision {
	mode: 'SKIP' | 'CHAT' | 'ACTION' | 'ACTION+CHAT';
	chat?: string;
	calls: { tool: string; args: Record<string, unknown> }[];
}
