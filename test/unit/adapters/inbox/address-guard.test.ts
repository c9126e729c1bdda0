import { describe, expect, test } from 'vitest';
import { isAllowedAddress, pinAddress } from '../../../../adapters/inbox/address-guard.ts';

describe('addresses a webhook may lead to', () => {
	test.each([
		['127.0.0.1', false, true],
		['10.1.2.3', false, true],
		['172.31.255.255', false, true],
		['172.32.0.1', true, true],
		['192.168.0.10', false, true],
		['100.64.0.1', false, true],
		['0.0.0.0', false, true],
		['224.0.0.1', false, true],
		['255.255.255.255', false, true],
		['8.8.8.8', true, true],
		['169.254.169.254', false, false],
		['100.100.100.200', false, false],
		['::1', false, true],
		['::', false, true],
		['fc00::1', false, true],
		['fe80::1', false, false],
		['fe80::1%eth0', false, false],
		['fd00:ec2::254', false, false],
		['2606:4700::1111', true, true],
		['::ffff:10.0.0.1', false, true],
		['::ffff:a9fe:a9fe', false, false],
		['64:ff9b::7f00:1', false, true],
		['2002:a9fe:a9fe::', false, false],
		['2002:0808:0808::', true, true],
		['::127.0.0.1', false, true],
		['ff02::1', false, true],
		['no address', false, false],
	])('INT-22 OPS-17 S03 %s: open %s, with private ones allowed %s', (address, open, allowed) => {
		expect(isAllowedAddress(address, false)).toBe(open);
		expect(isAllowedAddress(address, true)).toBe(allowed);
	});

	test('INT-22 OPS-17 a name with one forbidden address is refused, and the address that was checked is the one to use', async () => {
		const names: Record<string, { address: string; family: number }[]> = {
			mixed: [
				{ address: '8.8.8.8', family: 4 },
				{ address: '10.0.0.1', family: 4 },
			],
			fine: [{ address: '8.8.4.4', family: 4 }],
			none: [],
		};
		const ask = async (host: string) => names[host] ?? Promise.reject(new Error('ENOTFOUND'));
		expect(await pinAddress('mixed', false, ask)).toEqual({ ok: false, why: 'refused' });
		expect(await pinAddress('fine', false, ask)).toEqual({ ok: true, address: '8.8.4.4', family: 4 });
		expect(await pinAddress('none', false, ask)).toEqual({ ok: false, why: 'not_found' });
		expect(await pinAddress('gone', false, ask)).toEqual({ ok: false, why: 'not_found' });
		expect(await pinAddress('[::1]', false, ask)).toEqual({ ok: false, why: 'refused' });
		// Other spellings of 127.0.0.1 are normalised by the URL before they come here.
		for (const text of ['http://2130706433/', 'http://0x7f.1/', 'http://0177.0.0.1/'])
			expect(await pinAddress(new URL(text).hostname, false, ask), text).toEqual({ ok: false, why: 'refused' });
	});
});
