/** The file is no backup of ours, is damaged, or is of a newer version. Nothing was changed. */
export class BadBackup extends Error {
	override readonly name = 'BadBackup';
	readonly code = 'bad_backup';
}

/** Something is there that a restore would mix with or overwrite. Nothing was changed. */
export class RestoreRefused extends Error {
	override readonly name = 'RestoreRefused';
	readonly code: 'not_empty' | 'in_use';

	constructor(code: RestoreRefused['code'], message: string) {
		super(message);
		this.code = code;
	}
}
