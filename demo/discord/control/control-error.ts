/** Why a control call was refused; `code` is stable, `status` is what HTTP answers. */
export type ControlErrorCode =
	| 'invalid'
	| 'unknown'
	| 'not-allowed'
	| 'invalid-option'
	| 'disabled'
	| 'timeout'
	| 'refused';

const statusOf: Record<ControlErrorCode, 400 | 403 | 404 | 408 | 409> = {
	invalid: 400,
	'invalid-option': 400,
	unknown: 404,
	'not-allowed': 403,
	disabled: 409,
	refused: 409,
	timeout: 408,
};

export class ControlError extends Error {
	readonly code: ControlErrorCode;
	readonly status: 400 | 403 | 404 | 408 | 409;

	constructor(code: ControlErrorCode, message: string) {
		super(message);
		this.name = 'ControlError';
		this.code = code;
		this.status = statusOf[code];
	}
}
