import { TOOL_NAMES } from '../../tooling/tool-name.ts';

const TOOL = TOOL_NAMES.join('|');
const MARKS: readonly RegExp[] = [
	new RegExp(`(?<![\\p{L}\\p{N}_])(?:${TOOL})(?![\\p{L}\\p{N}_])`, 'iu'),
	/["'](?:name|tool|tool_name|function|arguments|parameters|args|mode|calls|tool_calls)["']\s{0,4}:/iu,
	/<\/?\s{0,4}(?:tool|function|invoke|parameter|tool_call|functioncall|arg)\w{0,20}\b/iu,
	/\[\/?(?:TOOL_CALLS?|TOOL_RESULTS?|AVAILABLE_TOOLS|INST|ARGS)\]/iu,
	/<[|｜][^|｜<>]{1,40}[|｜]>/u,
	/\b\w{1,40}\(\s{0,4}\{/u,
	/(?<![a-z_])[a-z]{1,30}(?:_[a-z]{1,30}){1,5}\s{0,2}\(/u,
	/\bfunction\s{0,2}=\s{0,2}\w/u,
];

/** Does anything in the text look like a tool call or its markup? */
export function looksLikeCall(text: string): boolean {
	return MARKS.some((mark) => mark.test(text));
}
