import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { environmentSchema } from '../../../config/env.ts';
import { execForm, readDockerfile, type Stage } from '../../support/dockerfile.ts';

interface Service {
	environment?: Record<string, string>;
	command?: string[];
	volumes?: string[];
	read_only?: boolean;
	healthcheck?: unknown;
	stop_grace_period?: string;
}

interface Manifest {
	kind: string;
	spec: {
		replicas?: number;
		strategy?: { type: string };
		template: {
			spec: {
				terminationGracePeriodSeconds?: number;
				securityContext?: object;
				containers: {
					command?: string[];
					env?: { name: string; value: string }[];
					ports?: object[];
					livenessProbe?: object;
					readinessProbe?: object;
					startupProbe?: object;
					securityContext?: object;
				}[];
			};
		};
	};
}

/** Whether a name of a COPY, which may hold a star, brings a file or folder. */
const matchesGlob = (file: string, name: string) =>
	name.includes('*')
		? new RegExp(`^${name.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}$`).test(file)
		: name === file;

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
		const stages = readDockerfile(dockerfile);
		expect(stages).toHaveLength(2);
		const [build, image] = stages as [Stage, Stage];
		const copied = build.instructions
			.filter(({ word }) => word === 'COPY')
			.flatMap(({ rest }) => rest.split(/\s+/).slice(0, -1));
		const { include } = parse(readFileSync('tsconfig.build.json', 'utf8')) as { include: string[] };
		for (const part of include)
			expect(
				copied.some((name) => matchesGlob(part, name)),
				part,
			).toBe(true);
		const only = (word: string) => image.instructions.filter((one) => one.word === word).map(({ rest }) => rest);
		// The last word on who it runs as, in numbers, and nothing of root's after it.
		expect(only('USER')).toEqual(['1000:1000']);
		expect(image.instructions.findIndex(({ word }) => word === 'RUN' || word === 'COPY')).toBeLessThan(
			image.instructions.findIndex(({ word }) => word === 'USER'),
		);
		expect(execForm(only('ENTRYPOINT')[0] ?? '')).toEqual(['tini', '--']);
		expect(execForm(only('CMD')[0] ?? '')[0]).toBe('node');
		expect(only('HEALTHCHECK')[0]).toContain('/healthz');
		for (const [, name] of dockerfile.matchAll(/(MAJORDOMO_\w+|LOG_FORMAT)=/g))
			expect(environmentSchema.shape).toHaveProperty(name!);
	});

	test('OPS-5 the example for Kubernetes asks the probes, gives time to stop, and runs without rights', () => {
		const all = parseAllDocuments(readFileSync('ops/kubernetes.yaml', 'utf8')).map((one) => one.toJS() as Manifest);
		const house = all.filter(({ kind }) => kind === 'Deployment').map(({ spec }) => spec);
		expect(house.map(({ replicas }) => replicas)).toEqual([1, 2]);
		expect(house[0]?.strategy?.type).toBe('Recreate');
		const roles = house.map(({ template: { spec: pod } }) => {
			const [container] = pod.containers;
			expect(container?.livenessProbe).toMatchObject({ httpGet: { path: '/healthz', port: 'http' } });
			expect(container?.readinessProbe).toMatchObject({ httpGet: { path: '/readyz', port: 'http' } });
			expect(container?.startupProbe).toMatchObject({ httpGet: { path: '/healthz' } });
			expect(container?.ports).toEqual([{ name: 'http', containerPort: 8750 }]);
			// The house takes at most 20 s to put everything down.
			expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(20);
			expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
			expect(container?.securityContext).toMatchObject({
				readOnlyRootFilesystem: true,
				allowPrivilegeEscalation: false,
			});
			for (const { name } of container?.env ?? []) expect(environmentSchema.shape).toHaveProperty(name);
			return container?.env?.find(({ name }) => name === 'ROLE')?.value;
		});
		expect(roles).toEqual(['bot', 'worker']);
		const redis = all.find(({ kind }) => kind === 'StatefulSet')?.spec.template.spec.containers[0]?.command?.join(' ');
		for (const flag of ['--appendonly yes', '--appendfsync everysec', '--maxmemory-policy noeviction'])
			expect(redis).toContain(flag);
	});

	test('OPS-1 OPS-5 nothing stands between a signal and the bot that would kill it for a slow answer', () => {
		const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
		// tsx as a command ends its child with SIGKILL when it has not answered a signal within 60 ms.
		expect([scripts['start'], scripts['demo']]).toEqual([
			'node --import tsx main.ts',
			'node --import tsx demo/main.ts',
		]);
		const unit = readFileSync('docs/operations.md', 'utf8').split('[Service]')[1]?.split('[Install]')[0];
		expect(unit).toContain('ExecStart=/usr/bin/node --import tsx main.ts');
		expect(unit).toContain('ExecReload=/bin/kill -HUP $MAINPID');
	});

	test('OPS-4 containers see a settings file that an editor has put in place of the old one', () => {
		for (const service of [compose.services['bot'], compose.services['worker']])
			expect(service?.volumes).toContain('./config:/config:ro');
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
