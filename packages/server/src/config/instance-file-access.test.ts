import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readInstanceFile } from './instance-file.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hearth-instance-file-'));
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

test('a file with a byte order mark and Windows line endings is read', async () => {
  const path = join(folder, 'bom.toml');
  await writeFile(path, '\uFEFFinstance_name = "Höhle"\r\n[oprish]\r\nmessage_limit = 9\r\n');
  const file = await readInstanceFile(path, 'bom.toml');
  expect(file).toMatchObject({
    state: 'read',
    settings: { instanceName: 'Höhle', rest: { messageLimit: 9 } },
  });
});

test('[CF7] one line says why a file cannot be read', async () => {
  const at = (name: string) => join(folder, name);
  await mkdir(at('folder'));
  await writeFile(at('latin1.toml'), Buffer.from('instance_name = "H\xf6hle"', 'latin1'));
  await writeFile(at('huge.toml'), '#'.repeat(1024 ** 2 + 1));
  await symlink('nowhere.toml', at('dangling.toml'));
  await symlink('circle.toml', at('circle.toml'));
  const lines = {
    folder: 'expected a file, got a directory',
    'latin1.toml': 'expected text in UTF-8, got other bytes',
    'huge.toml': 'expected at most 1048576 bytes, got 1048577',
    'dangling.toml': 'cannot be read: it is a link to a file that does not exist',
    'circle.toml': 'cannot be read: its symbolic links form a loop',
    'latin1.toml/x.toml': 'cannot be read: a part of its path is a file',
  };
  for (const [name, problem] of Object.entries(lines)) {
    const file = await readInstanceFile(at(name), name);
    expect(file).toEqual({ state: 'mistaken', mistakes: [`${name}: ${problem}`] });
  }
});

test('[CF7] a device is refused without reading it', async () => {
  expect(await readInstanceFile('/dev/zero', '/dev/zero')).toEqual({
    state: 'mistaken',
    mistakes: ['/dev/zero: expected a file, got a device or a pipe'],
  });
});

test('a missing file is not reported as a mistake', async () => {
  expect(await readInstanceFile(join(folder, 'none.toml'), 'none.toml')).toEqual({
    state: 'missing',
  });
});
