import { Writable } from 'node:stream';
import pino from 'pino';
import pretty from 'pino-pretty';
import type { Log, LogFields } from '../../core/ports.ts';
import { createRedactor, type Redactor } from './redact.ts';

type Level = 'debug' | 'info' | 'warn' | 'error' | 'silent';

interface LogOptions {
	readonly level: Level;
	/** `auto`: pretty on a terminal, JSON elsewhere. */
	readonly format?: 'auto' | 'json' | 'pretty';
	/** Texts that must never be written, such as the environment's secrets. */
	readonly secrets?: readonly string[];
	/** Where lines go instead of standard output. */
	readonly stream?: { write(line: string): void };
	/** Fields that a line takes from where it is written, such as the id of its trace. */
	readonly context?: () => LogFields;
	/** Fields of every line, such as the role. */
	readonly base?: LogFields;
}

/** Levels at and above which what people said is not shown. */
const isPublic = (level: Exclude<Level, 'silent'>) => level !== 'debug';

function wrap(logger: pino.Logger, redactor: Redactor): Log {
	const at = (level: Exclude<Level, 'silent'>) => (fields: LogFields, message: string) => {
		if (logger.isLevelEnabled(level))
			logger[level](redactor.fields(fields, isPublic(level)) as object, redactor.text(message));
	};
	return {
		debug: at('debug'),
		info: at('info'),
		warn: at('warn'),
		error: at('error'),
		child: (fields) => wrap(logger.child(redactor.fields(fields, true) as object), redactor),
	};
}

/**
 * Structured log on standard output, one JSON object a line or a readable line on a terminal. Secrets are taken out of
 * messages and fields; texts of people and models are replaced by their length at `info` and above. It never throws for
 * what it is given. Give one `correlationId` to `child` and pass that log on.
 */
export function createLog(options: LogOptions): Log {
	const redactor = createRedactor(options.secrets ?? []);
	const format = options.format ?? 'auto';
	const isPretty = format === 'pretty' || (format === 'auto' && !options.stream && process.stdout.isTTY === true);
	const plain = options.stream ?? pino.destination({ dest: 1, sync: true });
	const stream = isPretty
		? pretty({
				...(options.stream ? { destination: asWritable(options.stream) } : { destination: 1, sync: true }),
				colorize: !options.stream,
				ignore: 'pid,hostname',
				translateTime: 'SYS:HH:MM:ss.l',
			})
		: plain;
	const logger = pino(
		{
			level: options.level,
			mixin: () => redactor.fields(options.context?.() ?? {}, true) as object,
			base: redactor.fields(options.base ?? {}, true) as Record<string, unknown>,
			timestamp: pino.stdTimeFunctions.isoTime,
			formatters: { level: (label) => ({ level: label }) },
		},
		stream,
	);
	return wrap(logger, redactor);
}

/** The small stream of a test or a capture as what pino-pretty writes to. */
function asWritable(stream: { write(line: string): void }): NodeJS.WritableStream {
	return new Writable({
		decodeStrings: false,
		write(line: string | Buffer, _encoding, done) {
			stream.write(String(line));
			done();
		},
	});
}
