import { METRICS } from '../../adapters/observe/metric-catalogue.ts';
import type { MetricSpec } from '../../adapters/observe/metric-spec.ts';
import { exportedName } from './exported-name.ts';
import { FIGURES } from './figure-ids.ts';

const cell = (text: string) => text.replaceAll('|', '\\|');

/** docs/metrics.md: every metric, and every figure that a requirement names with where it is read. */
export function metricsPage(): string {
	const idsOf = (name: string) => [
		...new Set(FIGURES.filter(({ metrics }) => (metrics as readonly string[]).includes(name)).map(({ id }) => id)),
	];
	const metrics = Object.entries<MetricSpec>(METRICS).map(([name, { type, help, labels = [] }]) => {
		const shown = labels.length === 0 ? '–' : labels.map((label) => `\`${label}\``).join(' ');
		return `| \`${exportedName(name)}\` | ${type} | ${shown} | ${cell(help)} | ${idsOf(name).join(', ')} |`;
	});
	const figures = FIGURES.map(
		({ id, figure, metrics: names }) =>
			`| ${id} | ${cell(figure)} | ${names.map((name) => `\`${exportedName(name)}\``).join(' ')} |`,
	);
	return `# Metrics

Made by \`npm run generate\` from the catalogue in \`adapters/observe\`; how to use them stands in
[operations](operations.md#metrics). A label has at most 60 values in a process, what comes after is counted as \`other\`.
Beside these there are the process's own figures, \`majordomo_process_*\` and \`majordomo_nodejs_*\`.

## Everything that is measured

| metric | kind | labels | meaning | figure of |
|---|---|---|---|---|
${metrics.join('\n')}

## Figures that the requirements name

| requirement | figure | read from |
|---|---|---|
${figures.join('\n')}
`;
}
