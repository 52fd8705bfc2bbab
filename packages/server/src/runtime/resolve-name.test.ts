import { silentDns } from '@hearth/testing/servers/silent-dns';
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { resolveName } from './resolve-name.ts';

test('[OC5] names of the hosts file are found, although no name server answers', async () => {
  using silent = await silentDns();
  const entries = readFileSync('/etc/hosts', 'utf8')
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim().split(/\s+/));
  const known = new Map(
    entries.flatMap(([address = '', ...names]) => names.map((name) => [name, address])),
  );
  const name = known.has(hostname()) ? hostname() : 'localhost';
  expect(await resolveName(name)).toContain(known.get(name) ?? '127.0.0.1');
  expect(silent.asked.size).toBe(0);
});
