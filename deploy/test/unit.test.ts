import { describe, expect, test } from 'bun:test';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '@hearth/testing/programs/runtimes';
import { tempFolder } from '@hearth/testing/temp-folder';
import { ROOT } from './support/built-image.ts';

const UNIT = join(ROOT, 'deploy/hearth.service');
const text = readFileSync(UNIT, 'utf8');
const sections = readUnit(text);
const service = sections.get('Service') ?? new Map<string, string>();

/** The folder in which the unit expects the repository. */
const INSTALLED = '/opt/hearth';

function readUnit(unit: string): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const read = new Map<string, Map<string, string>>();
  let section = new Map<string, string>();
  for (const line of unit.split('\n').map((each) => each.trim())) {
    const name = /^\[(\w+)\]$/.exec(line)?.[1];
    if (name !== undefined) read.set(name, (section = new Map()));
    else if (line !== '' && !line.startsWith('#')) {
      const [key = '', ...value] = line.split('=');
      if (section.has(key)) throw new Error(`${key} is set twice`);
      section.set(key, value.join('='));
    }
  }
  return read;
}

describe('deploy/hearth.service', () => {
  test('the unit runs the built bundle, as its own user, in its own folder', () => {
    const [program, script, ...words] = (service.get('ExecStart') ?? '').split(' ');
    expect(program).toBe('/usr/local/bin/bun');
    expect(words).toEqual(['start']);
    const build = readFileSync(join(ROOT, 'scripts/build.ts'), 'utf8');
    expect(build).toContain(`const MAIN_FILE = '${script?.replace(`${INSTALLED}/dist/`, '')}'`);
    expect(service.get('User')).toBe('hearth');
    expect(service.get('WorkingDirectory')).toBe(`/var/lib/${service.get('StateDirectory')}`);
    const { packageManager }: { packageManager: string } = JSON.parse(
      readFileSync(join(ROOT, 'package.json'), 'utf8'),
    );
    const install = `npm install --global --prefix /usr/local --allow-scripts=bun ${packageManager}`;
    expect(text).toContain(install);
  });

  test('the unit restarts after a failure, and has enough time to stop', () => {
    expect(service.get('Restart')).toBe('on-failure');
    expect(Number(service.get('TimeoutStopSec'))).toBeGreaterThan(10);
    expect(sections.get('Install')?.get('WantedBy')).toBe('multi-user.target');
  });

  test('the unit may write only to its own folder, and lets the runtime compile', () => {
    expect(Object.fromEntries(service)).toMatchObject({
      NoNewPrivileges: 'yes',
      ProtectSystem: 'strict',
      ProtectHome: 'yes',
      PrivateTmp: 'yes',
      CapabilityBoundingSet: '',
      MemoryDenyWriteExecute: 'no',
    });
    expect(service.has('ReadWritePaths')).toBe(false);
  });

  test('the unit names only files that the repository has', () => {
    const paths = [...text.matchAll(/\/opt\/hearth\/([\w./-]+\w)/g)].map(([, path = '']) => path);
    expect(paths.length).toBeGreaterThan(3);
    for (const path of paths) {
      if (!path.startsWith('dist/'))
        expect([path, existsSync(join(ROOT, path))]).toEqual([path, true]);
    }
  });

  // If systemd is not installed, only the tests above check the unit.
  test('the unit is valid for systemd, if systemd is installed', async () => {
    if (Bun.which('systemd-analyze') === null) return;
    await using folder = await tempFolder();
    const bun = join(folder.path, 'bun');
    writeFileSync(bun, '');
    chmodSync(bun, 0o755);
    const copy = join(folder.path, 'hearth.service');
    writeFileSync(copy, text.replace('/usr/local/bin/bun', bun));
    const verified = await run(['systemd-analyze', 'verify', copy]);
    expect(verified).toEqual({ exitCode: 0, stdout: '', stderr: '' });
    const threshold = ['--offline=true', '--threshold=20'];
    const rated = await run(['systemd-analyze', 'security', ...threshold, copy]);
    expect([rated.exitCode, rated.exitCode === 0 ? '' : rated.stdout]).toEqual([0, '']);
  });
});
