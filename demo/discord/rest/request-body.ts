import { refusal } from '../discord-error.ts';
import type { UploadedFile } from '../messages/message-body.ts';

export interface ParsedBody {
	json: Record<string, unknown> | unknown[];
	files: UploadedFile[];
}

/** Reads JSON, or multipart with `payload_json` and `files[n]`. Throws 50109 on JSON that is none. */
export async function parseBody(request: Request): Promise<ParsedBody> {
	const contentType = request.headers.get('content-type') ?? '';
	if (contentType.startsWith('multipart/form-data')) return parseForm(await request.formData());
	const text = await request.text();
	return { json: parseJson(text), files: [] };
}

function parseJson(text: string): ParsedBody['json'] {
	if (text.trim() === '') return {};
	try {
		const value: unknown = JSON.parse(text);
		if (typeof value !== 'object' || value === null) throw refusal('invalidJson');
		return value as ParsedBody['json'];
	} catch {
		throw refusal('invalidJson');
	}
}

async function parseForm(form: FormData): Promise<ParsedBody> {
	let json: ParsedBody['json'] = {};
	const files: UploadedFile[] = [];
	for (const [key, value] of form) {
		if (typeof value === 'string') {
			if (key === 'payload_json') json = parseJson(value);
			else if (!Array.isArray(json)) json[key] = value;
			continue;
		}
		const index = Number(/^files\[(\d+)\]$/.exec(key)?.[1] ?? files.length);
		const bytes = new Uint8Array(await value.arrayBuffer());
		files.push({ index, name: value.name, contentType: value.type, bytes });
	}
	return { json, files };
}
