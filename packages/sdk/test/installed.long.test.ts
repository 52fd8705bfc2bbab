import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { copyFile, cp, readdir, readFile, stat } from 'node:fs/promises';
import { basename, isAbsolute, join } from 'node:path';
import { startDocumentedServer } from '@hearth/testing/clients/documented-server';
import { witnessOf } from '@hearth/testing/clients/witness';
import {
  GENEROUS_LIMITS,
  startTestInstance,
  type TestInstance,
} from '@hearth/testing/instances/test-instance';
import { consumer } from '@hearth/testing/programs/consumer';
import { startProgram } from '@hearth/testing/programs/program';
import { bunAndNode, deno, isThere, run, type Ended } from '@hearth/testing/programs/runtimes';
import { tempFolder, type TempFolder } from '@hearth/testing/temp-folder';
import { connect } from '../src/index.ts';
import { examples } from './support/readme-examples.ts';

// A runtime may have to be downloaded first.
setDefaultTimeout(300_000);

const ROOT = join(import.meta.dir, '../../..');
const TEMPLATE = join(ROOT, 'examples/bot-template');
const SUCCEEDED = { exitCode: 0, stderr: '' };
const runtimes = [...(await bunAndNode(24)), await deno()].filter(isThere);

let packed: TempFolder;
let packing: Ended;
let tarball: string;
let instance: TestInstance;

beforeAll(async () => {
  packed = await tempFolder();
  packing = await run([process.execPath, join(ROOT, 'scripts/pack.ts'), packed.path]);
  const names = await readdir(packed.path);
  tarball = join(packed.path, names.find((name) => name.startsWith('hearth-sdk-')) ?? '');
  instance = await startTestInstance({ toml: `registration = "open"\n${GENEROUS_LIMITS}` });
});

afterAll(async () => {
  await instance[Symbol.asyncDispose]();
  await packed[Symbol.asyncDispose]();
});

/** The environment without the settings of the npm that may have started the tests. */
function withoutNpm(): Record<string, string> {
  const isOfNpm = (name: string) => name.toLowerCase().startsWith('npm_');
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined || isOfNpm(name) ? [] : [[name, value]],
    ),
  );
}

/** Installs from the tarball alone: without the network, and without what was downloaded earlier. */
async function npmInstall(folder: string): Promise<void> {
  await copyFile(tarball, join(folder, basename(tarball)));
  const options = ['--offline', '--cache', join(folder, '.npm'), '--omit=dev', '--no-audit'];
  const npm = ['npm', 'install', '--loglevel=error', ...options, `./${basename(tarball)}`];
  expect(await run(npm, { cwd: folder, env: withoutNpm() })).toMatchObject(SUCCEEDED);
  expect(await readdir(join(folder, 'node_modules/@hearth'))).toEqual(['sdk']);
}

test('[SK12] packing prints the path of each tarball, that of the library first, and nothing else', async () => {
  const { stdout } = packing;
  expect(packing).toEqual({ ...SUCCEEDED, stdout });
  const paths = stdout.trimEnd().split('\n');
  expect(paths.map((path) => basename(path).replace(/[\d.]+tgz$/, ''))).toEqual([
    'hearth-sdk-',
    'hearth-protocol-',
  ]);
  for (const path of paths) {
    expect(isAbsolute(path)).toBe(true);
    expect((await stat(path)).size).toBeGreaterThan(10_000);
  }
});

/** The output of the program. */
const INSTALLED = 'HearthError 0\ntrue "> **ada**: hello\\n\\nagain" true\n';

const program = `
  import { connect, createLightClient } from '@hearth/sdk';
  import { addCommunities } from '@hearth/sdk/communities';
  import { messageListSchema } from '@hearth/sdk/schemas';
  const client = await connect(process.argv[2], { author: 'ada' });
  const light = createLightClient(client.info);
  try { light.communities; } catch (error) { console.log(error.name, addCommunities(light).all().length); }
  const messages = client.messages();
  await client.open();
  await client.send('hello');
  const { value: message } = await messages.next();
  await message.reply('again');
  const { value: reply } = await messages.next();
  const list = await client.rest.request({
    method: 'GET', path: '/messages', query: { limit: 1 }, limit: 'message_list', answers: messageListSchema,
  });
  console.log(message.isOwn, JSON.stringify(reply.content), list[0].id === reply.id);
  await client.close();`;

test('[SK11] the tarball is installed in an empty folder, without a network, and works', async () => {
  await using project = await tempFolder();
  await npmInstall(project.path);
  const file = join(project.path, 'program.mjs');
  await Bun.write(file, program);
  for (const { command } of runtimes) {
    const ended = await run([...command, file, instance.addresses.rest], { cwd: project.path });
    expect(ended).toEqual({ ...SUCCEEDED, stdout: INSTALLED });
  }
});

test('[SK11] Bun installs the tarball, too', async () => {
  await using project = await tempFolder();
  const added = await run([process.execPath, 'add', tarball], { cwd: project.path });
  expect(added.exitCode).toBe(0);
  const file = join(project.path, 'program.mjs');
  await Bun.write(file, program);
  const ended = await run([process.execPath, file, instance.addresses.rest], { cwd: project.path });
  expect(ended).toMatchObject(SUCCEEDED);
});

test('[SK11] the declarations in the tarball pass all checks of TypeScript', async () => {
  await using project = await consumer();
  await npmInstall(project.path);
  await project.write(
    'typed.ts',
    `import { connect, type Id, type IncomingMessage, type Message } from '@hearth/sdk';
     import { messageListSchema } from '@hearth/sdk/schemas';
     export async function use(): Promise<readonly Id[]> {
       const client = await connect('localhost:7159', { author: 'ada' });
       for await (const message of client.messages()) if (!message.isOwn) await answer(message);
       return messageListSchema.parse([]).map(({ id }) => id);
     }
     function answer(message: IncomingMessage): Promise<Message> {
       return message.reply({ content: message.content, author: 'bob' });
     }
     // @ts-expect-error a message has text
     (await connect('x')).send(7);
     // @ts-expect-error an identifier is a text
     messageListSchema.parse([])[0]!.id.toFixed();`,
  );
  const options = { exactOptionalPropertyTypes: true, skipLibCheck: false };
  expect(await project.check(options)).toEqual({ ...SUCCEEDED, stdout: '' });
});

test('every example of the README has the right types with the tarball', async () => {
  await using project = await consumer();
  await npmInstall(project.path);
  const own = join(import.meta.dirname, '../node_modules');
  for (const name of ['ws', '@types/ws']) await project.link(name, join(own, name));
  for (const { file, code } of examples) await project.write(file, code);
  const options = { module: 'Preserve', exactOptionalPropertyTypes: true, skipLibCheck: true };
  expect(await project.check(options)).toEqual({ ...SUCCEEDED, stdout: '' });
});

describe('[SK13] the template of a bot', () => {
  let copy: TempFolder;

  beforeAll(async () => {
    copy = await tempFolder();
    await cp(TEMPLATE, copy.path, { recursive: true });
    // npm asks the registry even for what it is to leave out.
    const manifest = join(copy.path, 'package.json');
    const { devDependencies: _left, ...needed } = JSON.parse(await readFile(manifest, 'utf8'));
    await Bun.write(manifest, JSON.stringify(needed));
    await npmInstall(copy.path);
  });

  afterAll(() => copy[Symbol.asyncDispose]());

  const bot = (command: readonly string[], url: string) =>
    startProgram([...command, 'src/bot.ts'], {
      cwd: copy.path,
      env: { HEARTH_URL: url, HEARTH_NAME: 'pinger' },
    });

  test('the template needs nothing of this repository', async () => {
    const manifest = await readFile(join(copy.path, 'package.json'), 'utf8');
    expect(Object.keys(JSON.parse(manifest).dependencies)).toEqual(['@hearth/sdk']);
    for (const name of await readdir(copy.path, { recursive: true })) {
      if (!name.startsWith('src/')) continue;
      const imports = (await readFile(join(copy.path, name), 'utf8')).matchAll(/from '([^']+)'/g);
      for (const [, module] of imports) {
        expect(module).toMatch(/^(?:node:process|node:fs\/promises|@hearth\/sdk|\.\/\w+\.ts)$/);
      }
    }
  });

  test.each([...runtimes])(
    'the bot answers commands and stops, with $name',
    async ({ command }) => {
      const { rest } = instance.addresses;
      await using running = bot(command, rest);
      await running.says('pinger is at Hearth');
      await using client = await connect(rest, { author: 'ada' });
      const witness = witnessOf(client);
      await client.open();
      await client.send('hello');
      await client.send('!ping');
      await client.send('!echo');
      await client.send({ author: 'pinger', content: '!echo of another  pinger' });
      await witness.until(() => witness.messages.length === 6);
      const said = witness.messages.map(({ author, content }) => `${author}: ${content}`);
      expect(said.filter((line) => line.startsWith('pinger: >'))).toEqual([
        'pinger: > **ada**: !ping\n\npong',
        'pinger: > **pinger**: !echo of another pinger\n\nof another pinger',
      ]);
      expect(await running.stop()).toBe(0);
    },
  );

  test('answers in a channel, and signs in only once', async () => {
    const { rest } = instance.addresses;
    await using ada = await connect(rest);
    await using pinger = await connect(rest);
    const password = 'correct horse battery';
    for (const [client, username] of [
      [ada, 'ada'],
      [pinger, 'pinger'],
    ] as const) {
      await client.register({ username, email: `${username}@example.org`, password });
    }
    const garden = { name: 'Garden', slug: 'garden', visibility: 'public', join: 'open' } as const;
    const { id } = await ada.communities.create(garden);
    const trees = { kind: 'messages', name: 'trees' } as const;
    const channel = ada.channel((await ada.communities.channels.create(id, trees)).id);
    await pinger.communities.join(id);
    await ada.open();
    const messages = channel.messages();
    const start = (env: Readonly<Record<string, string>>, place = 'garden/trees') =>
      startProgram([process.execPath, 'src/bot.ts'], {
        cwd: copy.path,
        env: { HEARTH_URL: rest, HEARTH_CHANNEL: place, ...env },
      });
    const account = { HEARTH_USER: 'pinger', HEARTH_PASSWORD: password };
    for (const env of [account, {}]) {
      await using running = start(env);
      await running.says('pinger is at Hearth');
      const asked = await channel.send('!ping');
      await messages.next();
      const { value: answer } = await messages.next();
      expect(answer).toMatchObject({ content: 'pong', reply_to: { id: asked.id } });
      expect(await running.stop()).toBe(0);
    }
    expect((await stat(join(copy.path, 'token'))).mode & 0o777).toBe(0o600);
    const lost = await run([process.execPath, 'src/bot.ts'], {
      cwd: copy.path,
      env: { HEARTH_URL: rest, HEARTH_CHANNEL: 'garden/moss' },
    });
    const stderr = "The bot's account has no channel garden/moss\n";
    expect(lost).toEqual({ exitCode: 1, stdout: '', stderr });
  });

  test('the bot finishes its answer before it stops', async () => {
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    let isBroken = false;
    await using server = startDocumentedServer({
      async answer(request) {
        if (request.method !== 'POST') return undefined;
        request.signal.addEventListener('abort', () => (isBroken = true));
        asked.resolve();
        await answer.promise;
        return undefined;
      },
    });
    const ping = '{"op":"MESSAGE_CREATE","d":{"author":"ada","content":"!ping"}}';
    await using running = bot([process.execPath], server.url);
    await running.says('pinger is at Elsewhere');
    server.push(ping);
    server.push(ping);
    await asked.promise;
    const stopped = running.stop('SIGINT');
    await running.says('Stopping');
    answer.resolve();
    expect(await stopped).toBe(0);
    expect(server.bodies).toEqual([{ author: 'pinger', content: '> **ada**: !ping\n\npong' }]);
    expect(isBroken).toBe(false);
  });

  test('the template has the right types', async () => {
    await using project = await consumer();
    await cp(copy.path, project.path, { recursive: true });
    const types = join(ROOT, 'node_modules/.bun/node_modules/@types/node');
    await project.link('@types/node', types);
    const tsc = join(ROOT, 'node_modules/.bin/tsc');
    expect(await run([tsc, '-p', project.path])).toEqual({ ...SUCCEEDED, stdout: '' });
  });

  test('the bot says in one line why it cannot start, and what HEARTH_URL has to be', async () => {
    const { gateway, files } = instance.addresses;
    const hint = "HEARTH_URL has to be the address of the instance's page or REST service, not ";
    for (const [url, why] of [
      ['http://127.0.0.1:1', /^http:\/\/127\.0\.0\.1:1\/ could not be reached.*\n$/],
      ['::', `Not a valid http or https address: "::". ${hint}::\n`],
      [files, expect.stringMatching(new RegExp(`^[^\n]+\\. ${hint}${files}\n$`))],
      [
        gateway.replace('ws', 'http'),
        expect.stringMatching(new RegExp(`^[^\n]+\\. ${hint}${gateway.replace('ws', 'http')}\n$`)),
      ],
    ] as const) {
      const ended = await run([process.execPath, 'src/bot.ts'], {
        cwd: copy.path,
        env: { HEARTH_URL: url },
      });
      const stderr = why instanceof RegExp ? expect.stringMatching(why) : why;
      expect(ended).toEqual({ exitCode: 1, stdout: '', stderr });
    }
  });
});
