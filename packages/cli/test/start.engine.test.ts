import { afterEach, beforeEach, expect, test } from 'bun:test';
import { readFile, stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { GatewayClient } from '@hearth/testing/clients/gateway-client';
import { readError } from '@hearth/testing/clients/read-error';
import { ROOT } from '@hearth/testing/programs/hearth-process';
import { Home } from './support/home.ts';
import { get, readFileData, readInfo } from './support/talk.ts';

const PORT_VARIABLES = ['OPRISH_PORT', 'PANDEMONIUM_PORT', 'EFFIS_PORT'] as const;

let home: Home;

beforeEach(async () => {
  home = await Home.make();
});

afterEach(() => home[Symbol.asyncDispose]());

test('[OP1] an instance without any configuration writes a commented instance file and a data directory', async () => {
  const instance = await home.start();
  const { exitCode } = await instance.stop();
  expect(exitCode).toBe(0);
  expect(await home.names()).toEqual(['data', 'instance.toml']);
  const [written, committed] = [home.path('instance.toml'), join(ROOT, 'instance.example.toml')];
  expect(await readFile(written, 'utf8')).toBe(await readFile(committed, 'utf8'));
  expect((await stat(home.path('data'))).isDirectory()).toBe(true);
});

test('[OP1] the start prints each of the three addresses once, and each of them answers', async () => {
  const { rest, gateway, files } = home.addresses;
  const instance = await home.start();
  expect(await readInfo(rest)).toMatchObject({ instance_name: 'Hearth' });
  const client = await GatewayClient.connect(gateway);
  await client.ping();
  const missing = await fetch(`${files}/attachments/1`);
  expect((await readError(missing)).status).toBe(404);
  const { stdout } = await instance.stop();
  for (const address of [rest, gateway, files]) expect(stdout.split(address)).toHaveLength(2);
  expect(stdout).toContain(home.path('instance.toml'));
  expect(stdout).toContain(home.path('data'));
});

test('[OP1] the start prints three commands to try next: a listener, a message and an upload', async () => {
  const instance = await home.startHere();
  const { stdout } = await instance.stop();
  const { rest, gateway, files } = home.addresses;
  expect(commandOf('listen on the gateway', stdout)).toBe(`npx --yes wscat -c ${gateway}`);
  expect(commandOf('post to the REST service', stdout)).toStartWith('curl -d ');
  expect(commandOf('post to the REST service', stdout)).toEndWith(` ${rest}/messages`);
  expect(commandOf('upload to the file service', stdout)).toBe(
    `curl -F file=@photo.png ${files}/attachments`,
  );
});

test.skipIf(Bun.which('curl') === null)(
  '[OP1] the commands to try next work as they are printed',
  async () => {
    const { rest, gateway, files } = home.addresses;
    const photo = await readFile(join(ROOT, 'packages/testing/src/media/interlaced.png'), 'latin1');
    await home.write('photo.png', Buffer.from(photo, 'latin1'));
    const instance = await home.start();
    await instance.stdout.find(/upload to the file service/);
    const client = await GatewayClient.connect(gateway);

    const posted = await shell(commandOf('post to the REST service', instance.stdout.text));
    expect(JSON.parse(posted)).toEqual({ author: 'ada', content: 'Hello, hearth!' });
    await client.until(() => client.received.length === 1);
    expect(client.received).toEqual([
      JSON.stringify({ op: 'MESSAGE_CREATE', d: JSON.parse(posted) }),
    ]);

    const uploaded = await shell(commandOf('upload to the file service', instance.stdout.text));
    const file = await readFileData(new Response(uploaded));
    expect(file).toMatchObject({ name: 'photo.png', metadata: { type: 'image' } });
    const fetched = await fetch(`${files}/attachments/${file.id}`);
    expect(Buffer.from(await fetched.bytes()).toString('latin1')).toBe(photo);
    expect(await readInfo(rest)).toMatchObject({ effis_url: files });
  },
);

test('[OP1] an instance file that exists is never overwritten', async () => {
  const path = await home.write('instance.toml', '# mine\ninstance_name = "Home"');
  const instance = await home.startHere();
  expect(await readInfo(home.addresses.rest)).toMatchObject({ instance_name: 'Home' });
  const { stdout } = await instance.stop();
  expect(await readFile(path, 'utf8')).toBe('# mine\ninstance_name = "Home"');
  expect(stdout).not.toContain('just written');
});

test('[OP1] stored data is available after another start', async () => {
  const first = await home.start();
  const answer = await fetch(`${home.addresses.files}/attachments`, {
    method: 'POST',
    body: formWith(new File(['kept'], 'kept.txt')),
  });
  const { id } = await readFileData(answer);
  await first.stop();
  await home.start();
  expect(await get(`${home.addresses.files}/attachments/${id}`)).toEqual({
    status: 200,
    text: 'kept',
  });
});

test.each(PORT_VARIABLES)(
  '[OP4] a port in use ends the start with one line that names the port and its variable: %s',
  async (variable) => {
    const port = home.ports[variable] ?? '';
    await using _occupied = await listen(Number(port));
    const { exitCode, stdout, stderr } = await home.run(['start']);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toBe(`hearth: ${variable}: cannot listen on port ${port}: the port is in use\n`);
  },
);

test('[OP4] an instance starts after an earlier start failed because a port was in use', async () => {
  {
    await using _occupied = await listen(Number(home.ports['EFFIS_PORT']));
    expect((await home.run(['start'])).exitCode).toBe(1);
  }
  await home.startHere();
  expect(await readInfo(home.addresses.rest)).toMatchObject({ instance_name: 'Hearth' });
});

test.each([
  ['silent', ''],
  ['debug', '"msg":"instance started"'],
])('[OP6] the addresses are printed as plain text at LOG_LEVEL=%s too', async (level, logged) => {
  const { stdout: usual } = await (await home.start()).stop();
  const { stdout, stderr } = await (await home.start({ LOG_LEVEL: level })).stop();
  expect(stdout).toBe(usual.replace(' (just written: give your instance a name there)', ''));
  expect(stdout).not.toContain('"msg"');
  if (logged === '') expect(stderr).toBe('');
  else expect(stderr).toContain(logged);
});

test('[OP6] mistakes are printed as the same plain text at every LOG_LEVEL', async () => {
  await home.write('instance.toml', 'instance_name = ""\nnonsense = 1');
  const env = { OPRISH_PORT: 'http' };
  const { stderr: usual } = await home.runHere(['start'], env);
  expect(usual.split('\n')).toHaveLength(4);
  for (const level of ['silent', 'debug', 'trace']) {
    const { exitCode, stdout, stderr } = await home.runHere(['start'], {
      ...env,
      LOG_LEVEL: level,
    });
    expect({ exitCode, stdout, stderr }).toEqual({ exitCode: 1, stdout: '', stderr: usual });
  }
});

test.each(['silent', 'debug'])(
  '[OP4, OP6] a port in use is printed as one plain line at LOG_LEVEL=%s too',
  async (level) => {
    await using _occupied = await listen(Number(home.ports['PANDEMONIUM_PORT']));
    const { stderr } = await home.runHere(['start'], { LOG_LEVEL: level });
    expect(stderr).toMatch(/^hearth: PANDEMONIUM_PORT: [^\n{]+\n$/);
  },
);

/** The command with this title in a banner. */
function commandOf(title: string, banner: string): string {
  const command = new RegExp(`^ *${title} +(.*)$`, 'm').exec(banner)?.[1];
  if (command === undefined) throw new Error(`no "${title}" in ${banner}`);
  return command;
}

/** Runs a command in a shell, as a user who has copied it does. */
async function shell(command: string): Promise<string> {
  const env = { PATH: process.env['PATH'] ?? '', no_proxy: '*' };
  const ran = home.launch({ command: ['sh', '-c', command], folder: home.folder, env });
  const { exitCode, stdout, stderr } = await ran.ended;
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  return stdout;
}

function formWith(file: File): FormData {
  const form = new FormData();
  form.set('file', file);
  return form;
}

/** Occupies a port until it is disposed. */
async function listen(port: number): Promise<AsyncDisposable & { readonly server: Server }> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { server, [Symbol.asyncDispose]: close };
}
