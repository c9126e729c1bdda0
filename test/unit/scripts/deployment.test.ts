import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { environmentSchema } from '../../../config/env.ts';

interface Service {
	environment?: Record<string, string>;
	command?: string[];
	read_only?: boolean;
	healthcheck?: unknown;
	stop_grace_period?: string;
}

const compose = parse(readFileSync('compose.yaml', 'utf8'), { merge: true }) as { services: Record<string, Service> };
const dockerfile = readFileSync('Dockerfile', 'utf8');

describe('container files', () => {
	test('OPS-5 compose runs a bot and workers on a Redis that keeps its data and evicts nothing', () => {
		const { bot, worker, redis } = compose.services;
		expect([bot?.environment?.['ROLE'], worker?.environment?.['ROLE']]).toEqual(['bot', 'worker']);
		const flags = redis?.command?.join(' ');
		for (const flag of ['--appendonly yes', '--appendfsync everysec', '--maxmemory-policy noeviction'])
			expect(flags).toContain(flag);
		expect(redis?.healthcheck).toBeDefined();
		for (const service of [bot, worker]) expect(service).toMatchObject({ read_only: true, stop_grace_period: '30s' });
	});

	test('OPS-5 compose sets only variables that exist', () => {
		for (const service of [compose.services['bot'], compose.services['worker']])
			for (const name of Object.keys(service?.environment ?? {})) expect(environmentSchema.shape).toHaveProperty(name);
	});

	test('OPS-5 the image has every room that is compiled, no root user, a first process and a health check', () => {
		const { include } = parse(readFileSync('tsconfig.build.json', 'utf8')) as { include: string[] };
		for (const part of include)
			expect(dockerfile).toMatch(new RegExp(`^COPY (?:.* )?${part.replace('.', '\\.')} `, 'm'));
		expect(dockerfile.match(/^FROM /gm)).toHaveLength(2);
		expect(dockerfile).toMatch(/^USER node$/m);
		expect(dockerfile).toMatch(/^ENTRYPOINT \["tini", "--"\]$/m);
		expect(dockerfile).toMatch(/^HEALTHCHECK [\s\S]*\/healthz/m);
		for (const [, name] of dockerfile.matchAll(/(MAJORDOMO_\w+|LOG_FORMAT)=/g))
			expect(environmentSchema.shape).toHaveProperty(name!);
	});

	test('OPS-5 no secret and no own settings get into the image', () => {
		const ignored = readFileSync('.dockerignore', 'utf8').split('\n');
		for (const path of ['.env', '.data', '.git', 'config/majordomo.yaml', 'node_modules'])
			expect(ignored).toContain(path);
	});
});

describe('.ci/run', () => {
	test('it can be run and parsed, and runs the test command of the README', () => {
		expect(statSync('.ci/run').mode & 0o111).not.toBe(0);
		execFileSync('bash', ['-n', '.ci/run']);
		expect(readFileSync('.ci/run', 'utf8')).toContain('npm test');
		expect(existsSync('README.md') && readFileSync('README.md', 'utf8')).toContain('`npm test`');
	});
});
