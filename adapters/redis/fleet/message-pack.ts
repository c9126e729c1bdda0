/**
 * Values as one MessagePack argument of a script, which `cmsgpack.unpack` turns into tables. A client that is handed thousands of
 * arguments, or one long text with a single letter beyond Latin 1 in it, spends more on framing and encoding them than Redis on
 * taking them apart. Texts are encoded as they come, so that none of them lives until Redis has answered: what lives that long
 * is copied by every garbage collection.
 */
export interface MessagePack {
	text(text: string): void;
	number(value: number): void;
	flag(value: boolean): void;
	/** The next `count` values are one list. */
	list(count: number): void;
	bytes(): Buffer;
}

/** First bytes of values, each in its widest form: the shorter ones save less than asking for them costs. */
const TEXT = 0xdb;
const NUMBER = 0xcb;
const LIST = 0xdd;
const FALSE = 0xc2;
const TRUE = 0xc3;
const FIRST_BYTES = 4_096;

export function createMessagePack(): MessagePack {
	let bytes = Buffer.allocUnsafe(FIRST_BYTES);
	let end = 0;

	function begin(kind: number, most: number): void {
		if (end + 1 + most > bytes.length) {
			const larger = Buffer.allocUnsafe(Math.max(end + 1 + most, bytes.length * 2));
			bytes.copy(larger, 0, 0, end);
			bytes = larger;
		}
		bytes[end] = kind;
		end += 1;
	}

	return {
		text(text) {
			// A code unit takes three bytes at most.
			begin(TEXT, 4 + text.length * 3);
			const length = bytes.write(text, end + 4);
			bytes.writeUInt32BE(length, end);
			end += 4 + length;
		},
		number(value) {
			begin(NUMBER, 8);
			end = bytes.writeDoubleBE(value, end);
		},
		flag: (value) => begin(value ? TRUE : FALSE, 0),
		list(count) {
			begin(LIST, 4);
			end = bytes.writeUInt32BE(count, end);
		},
		bytes: () => bytes.subarray(0, end),
	};
}
