export type ReadErrorCode =
	| 'bullet'
	| 'directive'
	| 'rule'
	| 'variable'
	| 'operator'
	| 'conjunction'
	| 'brace'
	| 'module_prefix'
	| 'dict_dot'
	| 'label'
	| 'not_callable'
	| 'missing_stop'
	| 'full_width_stop'
	| 'unbalanced'
	| 'unexpected'
	| 'unterminated_quote'
	| 'unterminated_comment'
	| 'nested_comment'
	| 'forbidden_character'
	| 'curly_quote'
	| 'character_code'
	| 'backquote'
	| 'bad_escape'
	| 'partial_list'
	| 'empty_arguments'
	| 'blank_before_parenthesis'
	| 'reserved'
	| 'number_too_long'
	| 'atom_too_long'
	| 'too_deep'
	| 'too_many_arguments'
	| 'too_many_facts'
	| 'block_too_long';

export interface ReadError {
	readonly code: ReadErrorCode;
	/** From 1. */
	readonly line: number;
	/** From 1, in characters (UTF-16 units). */
	readonly column: number;
	/** The clause as written, shortened; for people. */
	readonly text: string;
}

/** Ends the reading of one clause; `fatal` ends the reading of the block. */
export class ClauseError extends Error {
	override readonly name = 'ClauseError';
	readonly code: ReadErrorCode;
	readonly offset: number;
	readonly fatal: boolean;

	constructor(code: ReadErrorCode, offset: number, fatal = false) {
		super(code);
		this.code = code;
		this.offset = offset;
		this.fatal = fatal;
	}
}
