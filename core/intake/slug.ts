/** Names that file systems or objects take for something else. */
const RESERVED =
	/^(?:con|prn|aux|nul|com\d|lpt\d|constructor|prototype|__proto__|tostring|valueof|hasownproperty|node_modules)$/;
const MAX = 40;

function slugOf(name: string): string {
	return name
		.slice(0, 400)
		.normalize('NFKD')
		.replace(/\p{M}+/gu, '')
		.replaceAll('ß', 'ss')
		.toLowerCase()
		.replace(/[^a-z0-9_-]+/g, '_')
		.replace(/_{2,}/g, '_')
		.replace(/^[_-]+|[_-]+$/g, '')
		.slice(0, MAX)
		.replace(/[_-]+$/, '');
}

/** A name that is safe as file, key and branch: `[a-z0-9_-]{1,40}`, never empty, never reserved. */
export function projectSlug(name: string, fallbackId: string): string {
	const slug = slugOf(name);
	if (slug === '') return `project_${slugOf(fallbackId).slice(0, 8) || 'x'}`;
	return RESERVED.test(slug) ? `project_${slug}` : slug;
}
