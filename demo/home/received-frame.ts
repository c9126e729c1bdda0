export interface ReceivedFrame {
	readonly at: number;
	readonly connection: number;
	readonly frame: Readonly<Record<string, unknown>>;
}
