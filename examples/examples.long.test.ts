import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { connect, type Client } from '@hearth/sdk';
import { startProgram } from '@hearth/testing/programs/program';
import { bunAndNode, isThere, run } from '@hearth/testing/programs/runtimes';
import { isCurrent, witnessOf } from '@hearth/testing/clients/witness';
import { tempFolder } from '@hearth/testing/temp-folder';
import { startTestInstance, type TestInstance } from '@hearth/testing/instances/test-instance';

// A runtime may have to be fetched first.
setDefaultTimeout(300_000);

const runtimes = (await bunAndNode(24)).filter(isThere);

let instance: TestInstance;
let client: Client;

beforeAll(async () => {
  instance = await startTestInstance();
  client = await connect(instance.addresses.rest);
  await client.open();
});

afterAll(async () => {
  await client.close();
  await instance[Symbol.asyncDispose]();
});

function example(name: string): string {
  return join(import.meta.dir, name);
}

describe.each([...runtimes])('with $name', ({ command }) => {
  test('echo-bot.ts answers !ping with pong, and ignores itself and everything else', async () => {
    const { rest } = instance.addresses;
    await using bot = startProgram([...command, example('echo-bot.ts'), rest]);
    await bot.says('listens at Hearth');
    const witness = witnessOf(client);
    expect(isCurrent(client)).toBe(true);
    for (const [author, content] of [
      ['ada', 'hello'],
      ['echo-bot', '!ping'],
      ['ada', 'say !ping'],
      ['ada', '!ping'],
    ] as const) {
      await client.send({ author, content });
    }
    await witness.until(() => witness.contents.includes('pong'));
    await client.send({ author: 'grace', content: '!ping' });
    await witness.until(() => witness.contents.filter((text) => text === 'pong').length === 2);
    expect(witness.messages.map(({ author, content }) => `${author}: ${content}`)).toEqual([
      'ada: hello',
      'echo-bot: !ping',
      'ada: say !ping',
      'ada: !ping',
      'echo-bot: pong',
      'grace: !ping',
      'echo-bot: pong',
    ]);
  });

  test('relay-to-webhook.ts posts every message in order', async () => {
    const posted: unknown[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    await using webhook = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      async fetch(request) {
        posted.push(await request.json());
        if (posted.length === 3) resolve();
        return new Response(null, { status: 204 });
      },
    });
    const { rest } = instance.addresses;
    const url = `http://127.0.0.1:${webhook.port}/hook`;
    await using relay = startProgram([...command, example('relay-to-webhook.ts'), rest, url]);
    await relay.says('Relaying what is said at Hearth');
    for (const content of ['one', 'two', 'three']) await client.send({ author: 'ada', content });
    await promise;
    expect(posted).toEqual(
      ['one', 'two', 'three'].map((content) => ({ username: 'ada', content })),
    );
  });

  test('relay-to-webhook.ts continues after the webhook broke a connection', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const webhook = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const posted = Buffer.concat(chunks).toString();
        if (posted.includes('one')) return request.socket.destroy();
        resolve(JSON.parse(posted));
        return response.writeHead(204).end();
      });
    });
    await new Promise<void>((done) => webhook.listen(0, '127.0.0.1', done));
    const address = webhook.address();
    if (address === null || typeof address === 'string') throw new Error('it has a port');
    const url = `http://127.0.0.1:${address.port}/`;
    const { rest } = instance.addresses;
    await using relay = startProgram([...command, example('relay-to-webhook.ts'), rest, url]);
    await relay.says('Relaying what is said at Hearth');
    for (const content of ['one', 'two']) await client.send({ author: 'ada', content });
    expect(await Promise.race([promise, relay.says('nothing more')])).toEqual({
      username: 'ada',
      content: 'two',
    });
    webhook.close();
  });

  test('upload-folder.ts uploads every file, also in subfolders, and prints its address', async () => {
    await using folder = await tempFolder();
    await mkdir(join(folder.path, 'more'));
    await writeFile(join(folder.path, 'a.txt'), 'first');
    await writeFile(join(folder.path, 'more', 'b.bin'), new Uint8Array([0, 1, 2, 255]));
    await writeFile(join(folder.path, 'empty'), '');
    const { rest } = instance.addresses;
    const ended = await run([...command, example('upload-folder.ts'), rest, folder.path]);
    expect(ended.stderr).toContain('empty: Invalid file: ');
    expect(ended.exitCode).toBe(1);
    const lines = ended.stdout.trim().split('\n').toSorted();
    expect(lines.map((line) => line.split(': ')[0])).toEqual([
      join(folder.path, 'a.txt'),
      join(folder.path, 'more', 'b.bin'),
    ]);
    const [, url = ''] = / (http\S+) \(text\)$/.exec(lines[0] ?? '') ?? [];
    expect(await (await fetch(url)).text()).toBe('first');
    expect(client.files.idOf(url)).toBeDefined();
  });
});

test('an example that is run without its arguments prints its usage', async () => {
  for (const name of ['relay-to-webhook.ts', 'upload-folder.ts']) {
    const { exitCode, stderr } = await run([process.execPath, example(name)]);
    expect(stderr).toContain(`usage: ${name} <instance url>`);
    expect(exitCode).not.toBe(0);
  }
});
