import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

interface FittingVersion {
	readonly python: string;
	readonly home: string;
	/** Integrations that the ones we use import without saying so in their manifests. */
	readonly undeclared: readonly string[];
}

/** The Home Assistant that fits a Python, oldest first. Newer releases want patch levels that distributions do not have yet. */
const versions: readonly FittingVersion[] = [
	{ python: '3.11', home: '2024.3.3', undeclared: [] },
	{ python: '3.12', home: '2025.1.4', undeclared: ['assist_pipeline'] },
	{ python: '3.13', home: '2025.1.4', undeclared: ['assist_pipeline'] },
];

/** Needed beside what Home Assistant's own lists say: an old release does not bound them, and newer ones break it. */
const pins = ['josepy<2'];

/** Integrations whose own requirements are fetched beforehand, so that a later start needs no package index. */
const integrations = ['demo', 'onboarding', 'config', 'api', 'websocket_api', 'script', 'template', 'input_boolean'];

const listRequirements = `
import json, pathlib, sys
import homeassistant
root = pathlib.Path(homeassistant.__file__).parent / 'components'
todo, seen, wanted = sys.argv[1:], set(), set()
while todo:
    name = todo.pop()
    manifest = root / name / 'manifest.json'
    if name in seen or not manifest.exists():
        continue
    seen.add(name)
    facts = json.loads(manifest.read_text())
    wanted.update(facts.get('requirements', []))
    todo += facts.get('dependencies', [])
    if name == 'demo':
        todo += [p.stem for p in (root / 'demo').glob('*.py') if (root / p.stem).is_dir()]
print(json.dumps(sorted(wanted)))
`;

export interface InstalledHome {
	/** The `hass` program of the private environment. */
	readonly hass: string;
	readonly version: string;
	readonly python: string;
}

export interface InstallOptions {
	/** Folder that keeps the environment between runs. */
	readonly folder: string;
	readonly say: (line: string) => void;
}

/** Finds a Python, makes a private environment and installs Home Assistant once; a reason where that cannot be done. */
export async function installRealHome({
	folder,
	say,
}: InstallOptions): Promise<InstalledHome | { readonly skipped: string }> {
	const found = await findPython();
	if (!found) return { skipped: `no Python of version ${versions.map(({ python }) => python).join(', ')} was found` };
	const { command, python, home, undeclared } = found;
	const place = join(folder, `${home}-py${python}`);
	const venv = join(place, 'venv');
	const marker = join(place, 'installed');
	const installed = { hass: join(venv, 'bin', 'hass'), version: home, python };
	if (existsSync(marker) && existsSync(installed.hass)) return installed;
	say(`installing Home Assistant ${home} for Python ${python} into ${venv} (some minutes, once)`);
	try {
		await rm(venv, { recursive: true, force: true });
		await mkdir(place, { recursive: true });
		await run(command, ['-m', 'venv', venv]);
		await install(join(venv, 'bin', 'python'), home, undeclared);
	} catch (error) {
		return { skipped: `Home Assistant could not be installed: ${lastLines(error)}` };
	}
	await writeFile(marker, `${home}\n`);
	return installed;
}

async function findPython(): Promise<(FittingVersion & { readonly command: string }) | undefined> {
	const candidates = ['python3', ...versions.map(({ python }) => `python${python}`)];
	for (const command of candidates) {
		const python = await versionOf(command);
		const fitting = versions.find((version) => version.python === python);
		if (fitting) return { command, ...fitting };
	}
	return undefined;
}

/** Also makes sure that environments can be made: some distributions ship Python without that part. */
async function versionOf(command: string): Promise<string | undefined> {
	const script = 'import sys, venv, ensurepip; print("%d.%d" % sys.version_info[:2])';
	return run(command, ['-c', script], { timeout: 30_000 }).then(
		({ stdout }) => stdout.trim(),
		() => undefined,
	);
}

async function install(python: string, home: string, undeclared: readonly string[]): Promise<void> {
	const options = { timeout: 1_500_000, maxBuffer: 64 * 1024 * 1024 };
	const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'];
	await run(python, [...pip, `homeassistant==${home}`, ...pins], options);
	const { stdout } = await run(python, ['-c', listRequirements, ...integrations, ...undeclared], options);
	const requirements = JSON.parse(stdout) as string[];
	const locate = 'import homeassistant, pathlib; print(pathlib.Path(homeassistant.__file__).parent)';
	const { stdout: root } = await run(python, ['-c', locate], options);
	const constraints = join(root.trim(), 'package_constraints.txt');
	await run(python, [...pip, '--constraint', constraints, ...requirements, ...pins], options);
}

function lastLines(error: unknown): string {
	const text = error instanceof Error ? ('stderr' in error && String(error.stderr)) || error.message : String(error);
	return text.trim().split('\n').slice(-3).join(' ');
}
