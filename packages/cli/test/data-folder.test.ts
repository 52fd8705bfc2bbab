import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test';
import { rm } from 'node:fs/promises';
import { GENEROUS_LIMITS } from '../../server/test/support/test-instance.ts';
import { GatewayClient } from '../../server/test/support/gateway-client.ts';
import { whenMade } from './support/file-watch.ts';
import { HeldRequest } from './support/held-request.ts';
import { Home } from './support/home.ts';
import { get, readFileData, readInfo, upload, uploadRequest } from './support/talk.ts';

setDefaultTimeout(30_000);

let home: Home;
/** Another folder, for a second instance on the same data. */
let other: Home;

beforeEach(async () => {
  [home, other] = await Promise.all([Home.make(), Home.make()]);
  await home.write('instance.toml', GENEROUS_LIMITS);
});

afterEach(() => Promise.all([home, other].map((each) => each[Symbol.asyncDispose]())));

test('[OP5] a second instance on the same data waits 2 s, then ends with a line that says why', async () => {
  await home.start();
  const startedAtMs = performance.now();
  const { exitCode, stdout, stderr } = await other.run(['start'], { DATA_DIR: home.path('data') });
  const waitedMs = performance.now() - startedAtMs;
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  expect(stderr).toBe(`hearth: DATA_DIR: another instance is running on ${home.path('data')}\n`);
  expect(waitedMs).toBeGreaterThan(1900);
  expect(waitedMs).toBeLessThan(8000);
  expect((await readInfo(home.addresses.rest)).instance_name).toBe('Hearth');
});

test('[OP5] an instance that starts while another one stops on its data takes over from it', async () => {
  const first = await home.start();
  using held = await HeldRequest.begin(
    `${home.addresses.files}/attachments`,
    uploadRequest(home.addresses.files, 'handed over'),
  );
  first.signal('SIGTERM');
  await first.stdout.find(/Stopping/);

  const second = other.hearth(['start'], { ...home.ports, DATA_DIR: home.path('data') });
  // The last that it does before it claims the data.
  await whenMade(other.path('instance.toml'));
  expect(second.stdout.text).toBe('');
  const { id } = await readFileData(await held.finish());
  expect((await first.ended).exitCode).toBe(0);

  await second.started();
  const url = `${home.addresses.files}/attachments/${id}`;
  expect(await get(url)).toEqual({ status: 200, text: 'handed over' });
});

test('[OP5] a killed instance leaves no lock behind, and what it has acknowledged is there', async () => {
  const killed = await home.start();
  const client = await GatewayClient.connect(home.addresses.gateway);
  using _held = await HeldRequest.begin(
    `${home.addresses.files}/attachments`,
    uploadRequest(home.addresses.files, 'never finished'),
  );
  const { id } = await upload(home.addresses.files, 'kept');
  killed.signal('SIGKILL');
  await Promise.all([killed.ended, client.closed]);

  const startedAtMs = performance.now();
  await home.start();
  expect(performance.now() - startedAtMs).toBeLessThan(2000);
  const url = `${home.addresses.files}/attachments/${id}`;
  expect(await get(url)).toEqual({ status: 200, text: 'kept' });
});

test('[OP5] instances on data of their own do not disturb each other', async () => {
  await Promise.all([home.start(), other.start()]);
  for (const { addresses } of [home, other]) {
    expect((await readInfo(addresses.rest)).pandemonium_url).toBe(addresses.gateway);
  }
});

test('[OP1] a data directory that cannot be made ends the start with one line that names DATA_DIR', async () => {
  const file = await home.write('file', 'not a folder');
  for (const folder of [file, `${file}/below`]) {
    const { exitCode, stdout, stderr } = await home.run(['start'], { DATA_DIR: folder });
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(/^hearth: DATA_DIR: [^\n]+\n$/);
    expect(stderr).toContain(folder);
  }
});

test('[OP1] a data directory whose database is none ends the start with one line that names DATA_DIR', async () => {
  await (await home.start()).stop();
  for (const suffix of ['-wal', '-shm']) {
    await rm(home.path(`data/hearth.sqlite${suffix}`), { force: true });
  }
  await home.write('data/hearth.sqlite', 'this is no database, but it is long enough'.repeat(100));
  const { exitCode, stdout, stderr } = await home.run(['start']);
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  expect(stderr).toMatch(/^hearth: DATA_DIR: [^\n]*hearth\.sqlite[^\n]*\n$/);
});
