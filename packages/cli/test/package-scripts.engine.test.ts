import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { freePorts } from '@hearth/testing/free-ports';
import { GatewayClient } from '@hearth/testing/clients/gateway-client';
import type { HearthProcess } from '@hearth/testing/programs/hearth-process';
import { HeldRequest } from './support/held-request.ts';
import { Home } from './support/home.ts';
import { occupied } from '@hearth/testing/occupied';
import { isRefused, readInfo, uploadRequest } from './support/talk.ts';

const SERVER_ERROR = { code: 1011, reason: 'Server error' };
const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

let home: Home;

beforeEach(async () => {
  home = await Home.make();
});

afterEach(() => home[Symbol.asyncDispose]());

test.each(['start', 'run hearth start'])(
  '[OP2] bun %s starts the instance, and prints its addresses',
  async (words) => {
    const instance = await home.script(words.split(' '));
    await instance.started();
    const { rest, gateway, files } = home.addresses;
    expect(await readInfo(rest)).toMatchObject({ pandemonium_url: gateway, effis_url: files });
    instance.signal('SIGTERM');
    const { exitCode, stdout, stderr } = await instance.ended;
    expect(exitCode).toBe(0);
    const usual = await (await home.start()).stop();
    expect(stdout.trim()).toBe(usual.stdout.trim());
    expect(stderr.split('\n').filter((line) => !line.startsWith('{'))).toEqual(['']);
  },
);

test('[WC1][WC3][WC4][WC9] bun start serves the web client at the address that it prints first', async () => {
  const [port] = await freePorts(1);
  const instance = await home.script(['start'], 'pipes', { WEB_PORT: String(port) });
  const line = await instance.stdout.find(/^ +\S.* +(http|ws):/);
  await instance.started();
  expect(line).toBe(`  web client     http://127.0.0.1:${port}   ← open this in a browser`);
  const page = await fetch(`http://127.0.0.1:${port}`);
  const text = await page.text();
  expect(text).toContain(`"oprish_url":"http://127.0.0.1:${port}/api"`);
  const addresses = Array.from(
    text.matchAll(/ (?:src|href)="([^"]*)"/g),
    ([, address]) => address ?? '',
  );
  expect(addresses.length).toBeGreaterThan(2);
  for (const address of addresses) {
    expect(address).not.toMatch(/^[a-z]*:|^\//);
    const answer = await fetch(`http://127.0.0.1:${port}/${address}`);
    expect([address, answer.status]).toEqual([address, 200]);
  }
});

describe('[WC2][WC4] if the port of the web client is in use', () => {
  test('bun start runs without the web client, and gives the reason in the banner and the log', async () => {
    await using _other = await occupied(7162);
    const instance = await home.script(['start'], 'pipes', { WEB_PORT: '' });
    await instance.started();
    expect(await readInfo(home.addresses.rest)).toMatchObject({ effis_url: home.addresses.files });
    instance.signal('SIGTERM');
    const { exitCode, stdout } = await instance.ended;
    expect(exitCode).toBe(0);
    const reason = 'port 7162: the port is in use; WEB_PORT chooses another';
    expect(stdout).toContain(`\n\n  web client     not served: ${reason}\n  instance file `);
    const warned = instance.stderr.entries.filter(({ level }) => level === 40);
    expect(warned).toMatchObject([{ msg: 'the web client is not served', reason }]);
  });

  test('[OP4] bun start ends with one line that names the port if WEB_PORT was set', async () => {
    const [port = 0] = await freePorts(1);
    await using _other = await occupied(port);
    const instance = await home.script(['start'], 'pipes', { WEB_PORT: String(port) });
    const { exitCode, stdout, stderr } = await instance.ended;
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toContain(
      `hearth: WEB_PORT: cannot listen on port ${port}: the port is in use\n`,
    );
  });
});

test.each(SIGNALS)(
  '[OP2, OP7] %s to bun start finishes running requests and exits with 0',
  async (signal) => {
    const instance = await home.script(['start']);
    await instance.started();
    const { client, held } = await busy();
    instance.signal(signal);
    await expectCleanStop(instance, { client, held });
  },
);

test.each(SIGNALS)(
  '[OP2, OP7, OP8] %s to the whole process group of bun start counts as one signal',
  async (signal) => {
    const instance = await home.script(['start']);
    await instance.started();
    const { client, held } = await busy();
    instance.signalGroup(signal);
    await expectCleanStop(instance, { client, held });
  },
);

test('[OP2, OP7, OP8] Ctrl-C in the terminal of bun start finishes running requests and exits with 0', async () => {
  const instance = await home.script(['start'], 'terminal');
  await instance.started();
  const { client, held } = await busy();
  instance.type('\u0003');
  await expectCleanStop(instance, { client, held });
});

test('[OP7] the instance stops cleanly when the script that started it is killed', async () => {
  const script = await home.script(['start']);
  await script.started();
  const { client, held } = await busy();
  script.signal('SIGKILL');
  expect(await client.closed).toEqual(SERVER_ERROR);
  expect((await held.finish()).status).toBe(200);
  // The output ends when the last process that inherited it ends.
  expect((await script.ended).stdout).toContain('Stopping…');
  expect(await isRefused(home.addresses.files)).toBe(true);
});

test('[OP2] bun run hearth passes on its arguments and the exit code', async () => {
  const version = await (await home.script(['run', 'hearth', '--version'])).ended;
  expect(version).toMatchObject({ exitCode: 0, stdout: 'hearth 0.1.0\n' });
  const unknown = await (await home.script(['run', 'hearth', 'sttaic', 'list'])).ended;
  expect(unknown).toMatchObject({ exitCode: 2, stdout: '' });
  expect(unknown.stderr).toContain('did you mean "static"?');
  const file = await home.write('a b.txt', 'x');
  const added = await (await home.script(['run', 'hearth', 'static', 'add', file])).ended;
  expect(added).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('a b.txt') });
});

/** A connected client and a running upload. */
async function busy(): Promise<{ client: GatewayClient; held: HeldRequest }> {
  const { gateway, files } = home.addresses;
  const client = await GatewayClient.connect(gateway);
  await client.ping();
  const request = uploadRequest(files, 'to the end');
  return { client, held: await HeldRequest.begin(`${files}/attachments`, request) };
}

async function expectCleanStop(
  instance: HearthProcess,
  { client, held }: { client: GatewayClient; held: HeldRequest },
): Promise<void> {
  expect(await client.closed).toEqual(SERVER_ERROR);
  expect((await held.finish()).status).toBe(200);
  expect((await instance.ended).exitCode).toBe(0);
  expect(await isRefused(home.addresses.files)).toBe(true);
}
