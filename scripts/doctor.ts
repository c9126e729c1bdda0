import { parseArgs } from 'node:util';
import { exitCodeOf } from '../core/operations/finding.ts';
import { reportJson, reportText } from '../core/operations/report.ts';
import { examine } from './doctor/examine.ts';

const USAGE = `npm run doctor [-- options]
  --json              the report as JSON
  --quick             do not ask the model for a word
  --config <file>     settings file instead of MAJORDOMO_CONFIG or config/majordomo.yaml
  --deadline-ms <n>   longest time for one check (10000)
Exit code: 0 in order, 1 a warning, 2 an error, 64 wrong use.`;

/** `npm run doctor`: looks at everything the house needs and says how to repair what is wrong. */
async function main(): Promise<number> {
	let values: { json?: boolean; quick?: boolean; config?: string; 'deadline-ms'?: string; help?: boolean };
	try {
		({ values } = parseArgs({
			options: {
				json: { type: 'boolean' },
				quick: { type: 'boolean' },
				config: { type: 'string' },
				'deadline-ms': { type: 'string' },
				help: { type: 'boolean' },
			},
		}));
	} catch (error) {
		console.error(`${error instanceof Error ? error.message : error}\n${USAGE}`);
		return 64;
	}
	const deadlineMs = values['deadline-ms'] === undefined ? undefined : Number(values['deadline-ms']);
	if (values.help || (deadlineMs !== undefined && !(deadlineMs >= 500))) {
		console.log(USAGE);
		return values.help ? 0 : 64;
	}
	const areas = await examine({ path: values.config, deadlineMs, askModel: !values.quick });
	const text = values.json ? JSON.stringify(reportJson(areas), undefined, 2) : reportText(areas);
	await new Promise((written) => process.stdout.write(`${text}\n`, written));
	return exitCodeOf(areas.flatMap(({ findings }) => findings));
}

// Whatever still hangs when the report is out must not keep the terminal.
process.exit(await main());
