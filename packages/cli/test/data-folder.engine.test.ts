import { named } from '@hearth/testing/instances/named';
import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { chmod, mkdir, open, readdir, readFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { GENEROUS_LIMITS } from '@hearth/testing/instances/test-instance';
import { GatewayClient } from '@hearth/testing/clients/gateway-client';
import { whenMade } from './support/file-watch.ts';
import type { Ending } from '@hearth/testing/programs/hearth-process';
import { HeldRequest } from './support/held-request.ts';
import { Home } from './support/home.ts';
import { get, readFileData, readInfo, upload, uploadRequest } from './support/talk.ts';

const WARN = 40;

let home: Home;
/** Another folder, for a second instance on the same data. */
let other: Home;

beforeEach(async () => {
  [home, other] = await Promise.all([Home.make(), Home.make()]);
  await home.write('instance.toml', named(GENEROUS_LIMITS));
});

afterEach(() => Promise.all([home, other].map((each) => each[Symbol.asyncDispose]())));

test('[OP5] a second instance on the same data waits 2 s, then exits with a line that gives the reason', async () => {
  await home.start();
  const startedAtMs = performance.now();
  const { exitCode, stdout, stderr } = await other.run(['start'], { DATA_DIR: home.path('data') });
  const waitedMs = performance.now() - startedAtMs;
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  expect(stderr).toBe(`hearth: DATA_DIR: another instance is running on ${home.path('data')}\n`);
  expect(waitedMs).toBeGreaterThan(1900);
  expect((await readInfo(home.addresses.rest)).instance_name).toBe('Hearth');
});

test('[OP5] an instance that starts while another instance stops on the same data takes over from it', async () => {
  const first = await home.start();
  using held = await HeldRequest.begin(
    `${home.addresses.files}/attachments`,
    uploadRequest(home.addresses.files, 'handed over'),
  );
  first.signal('SIGTERM');
  await first.stdout.find(/Stopping/);

  const second = other.hearth(['start'], { ...home.ports, DATA_DIR: home.path('data') });
  // The start writes this file last, before it claims the data.
  await whenMade(other.path('instance.toml'));
  expect(second.stdout.text).toBe('');
  const { id } = await readFileData(await held.finish());
  expect((await first.ended).exitCode).toBe(0);

  await second.started();
  const url = `${home.addresses.files}/attachments/${id}`;
  expect(await get(url)).toEqual({ status: 200, text: 'handed over' });
});

test('[OP5] a killed instance leaves no lock and has stored what it acknowledged', async () => {
  const killed = await home.start();
  const client = await GatewayClient.connect(home.addresses.gateway);
  using _held = await HeldRequest.begin(
    `${home.addresses.files}/attachments`,
    uploadRequest(home.addresses.files, 'never finished'),
  );
  const { id } = await upload(home.addresses.files, 'kept');
  killed.signal('SIGKILL');
  await Promise.all([killed.ended, client.closed]);

  await home.start();
  const url = `${home.addresses.files}/attachments/${id}`;
  expect(await get(url)).toEqual({ status: 200, text: 'kept' });
});

test('[OP5] instances with separate data do not disturb each other', async () => {
  await Promise.all([home.start(), other.start()]);
  for (const { addresses } of [home, other]) {
    expect((await readInfo(addresses.rest)).pandemonium_url).toBe(addresses.gateway);
  }
});

test('[OP18] a data directory that cannot be created ends the start with one line that names DATA_DIR', async () => {
  const file = await home.write('file', 'not a folder');
  for (const folder of [file, `${file}/below`]) await expectRefused(folder, { DATA_DIR: folder });
});

test('[OP47] a DATA_DIR that is a file is refused with one line that says what is expected', async () => {
  const file = await home.write('file', 'not a folder');
  for (const words of [['start'], ['static', 'add', file]]) {
    expect(await home.runHere(words, { DATA_DIR: file })).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: `hearth: DATA_DIR: expected a folder, but ${file} is a file\n`,
    });
  }
  expect(await readFile(file, 'utf8')).toBe('not a folder');
});

test('[OP47] a folder that contains other files and no instance is refused and left unchanged', async () => {
  const folder = home.path('photos');
  await mkdir(join(folder, '2025'), { recursive: true });
  const added = await home.write('a.txt', 'a');
  for (const words of [['start'], ['static', 'add', added]]) {
    const stderr =
      'hearth: DATA_DIR: expected an empty folder or the data of an instance, ' +
      `but ${folder} has other files, such as "2025"\n`;
    expect(await home.runHere(words, { DATA_DIR: folder })).toEqual({
      exitCode: 1,
      stdout: '',
      stderr,
    });
  }
  expect(await readdir(folder)).toEqual(['2025']);
});

test('[OP47] a start accepts a folder with only the instance file and files of the system', async () => {
  await mkdir(home.path('volume/lost+found'), { recursive: true });
  for (const name of ['.gitkeep', '.DS_Store']) await home.write(`volume/${name}`, '');
  const INSTANCE_CONF = await home.write('volume/home.toml', named(GENEROUS_LIMITS));
  await home.startHere({ DATA_DIR: home.path('volume'), INSTANCE_CONF });
});

test('[OP47] an instance starts on its data even if the folder contains other files', async () => {
  await (await home.startHere()).stop();
  await home.write('data/notes.txt', 'not of Hearth');
  await home.startHere();
});

test('[OP48] a data folder that a start creates is readable by its owner only', async () => {
  const DATA_DIR = home.path('var/data');
  await (await home.startHere({ DATA_DIR })).stop();
  expect(await modeOf(DATA_DIR)).toBe(0o700);
  // The folder above it may have other uses.
  expect(await modeOf(home.path('var'))).toBe(0o777 & ~process.umask());
});

test('[OP48] an existing data folder keeps its mode', async () => {
  await mkdir(home.path('data'));
  await chmod(home.path('data'), 0o750);
  await home.startHere();
  expect(await modeOf(home.path('data'))).toBe(0o750);
});

test.each(['hearth.sqlite', 'lock.sqlite', 'incoming.sqlite'])(
  '[OP18] a data directory whose %s is not a database ends the start with one line that names it',
  async (name) => {
    await mkdir(home.path('data'));
    await home.write(`data/${name}`, 'this is not a database, but it is long enough'.repeat(100));
    await expectRefused(home.path(`data/${name}`));
  },
);

test('[OP18] a read-only database ends the start with one line that names it', async () => {
  await (await home.startHere()).stop();
  const database = home.path('data/hearth.sqlite');
  // SQLite opens a file with an unknown write version as read-only, even for root.
  await using file = await open(database, 'r+');
  await file.write(Uint8Array.of(255), 0, 1, 18);
  await expectRefused(database);
});

test('[OP77] a data folder of an earlier development version is refused by starts, commands and moves, and left as it is', async () => {
  await (await home.startHere()).stop();
  const path = home.path('data/hearth.sqlite');
  using file = new Database(path);
  file.run('delete from kysely_migration');
  file.run("insert into kysely_migration values ('065-earlier', '2026-01-01')");
  const added = await home.write('a.txt', 'a');
  const { port } = new URL(home.addresses.rest);
  for (const words of [
    ['start'],
    ['users', 'list'],
    ['static', 'add', added],
    ['migrate', '--to', `postgres://127.0.0.1:${port}/hearth`],
  ]) {
    const { exitCode, stderr } = await home.runHere(words);
    expect(stderr).toEndWith(
      `hearth: DATA_DIR: cannot use ${path}: an earlier development version of Hearth made it (migration 065-earlier): start afresh with an empty data folder or database, or keep the version that made it\n`,
    );
    expect(exitCode).toBe(1);
  }
  expect(file.query('select name from kysely_migration').values()).toEqual([['065-earlier']]);
});

test('[OP18] a file in place of the blobs folder ends the start with one line that names it', async () => {
  await mkdir(home.path('data'));
  await expectRefused(await home.write('data/blobs', 'not a folder'));
});

test('[OP18] a start leaves foreign files in the blobs folder alone', async () => {
  await mkdir(home.path('data/blobs/incoming/lost+found'), { recursive: true });
  for (const name of ['.DS_Store', '.intent', 'notes.txt']) {
    await home.write(`data/blobs/incoming/${name}`, 'not of Hearth');
  }
  await home.startHere();
  expect(await readdir(home.path('data/blobs/incoming'))).toHaveLength(4);
});

test('[OP19] a start that finds contents and no database warns in one line, and a restored backup makes them available again', async () => {
  const first = await home.start();
  const { id } = await upload(home.addresses.files, 'orphaned');
  const url = `${home.addresses.files}/attachments/${id}`;
  expect(warnings(await first.stop())).toEqual([]);

  await rename(home.path('data/hearth.sqlite'), home.path('backup'));
  const second = await home.start();
  expect((await get(url)).status).toBe(404);
  const [warning = '', ...more] = warnings(await second.stop());
  expect(more).toEqual([]);
  expect(warning).toContain(`${home.path('data/blobs')} `);
  expect(warning).toContain('restore hearth.sqlite from a backup');

  await rename(home.path('backup'), home.path('data/hearth.sqlite'));
  const third = await home.start();
  expect(await get(url)).toEqual({ status: 200, text: 'orphaned' });
  expect(warnings(await third.stop())).toEqual([]);
});

/** The permissions of a file or folder. */
async function modeOf(path: string): Promise<number> {
  const { mode } = await stat(path);
  return mode & 0o777;
}

/** Runs a start that has to end with one line that names DATA_DIR and `path`. */
async function expectRefused(path: string, env?: Readonly<Record<string, string>>): Promise<void> {
  const { exitCode, stdout, stderr } = await home.runHere(['start'], env);
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  expect(stderr).toMatch(/^hearth: DATA_DIR: [^\n]+\n$/);
  expect(stderr).toContain(path);
}

/** The texts of the warnings in the log. */
function warnings({ stderr }: Ending): string[] {
  const entries = stderr.split('\n').filter((line) => line.startsWith('{'));
  return entries
    .map((line) => JSON.parse(line))
    .filter(({ level }) => level === WARN)
    .map(({ msg }) => String(msg));
}
