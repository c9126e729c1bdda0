import { accessSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const places = [
	'/usr/bin/chromium',
	'/usr/bin/chromium-browser',
	'/usr/bin/google-chrome',
	'/usr/bin/google-chrome-stable',
];
const args = [
	'--headless',
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];

function isThere(path: string): boolean {
	try {
		accessSync(path);
		return true;
	} catch {
		return false;
	}
}

/** Path of an installed Chromium; undefined where there is none. */
export function findChromium(): string | undefined {
	const given = process.env['CHROMIUM_PATH'];
	return [...(given === undefined ? [] : [given]), ...places].find(isThere);
}

export function launchChromium(executablePath: string): Promise<Browser> {
	return chromium.launch({ executablePath, args, timeout: 60_000 });
}
