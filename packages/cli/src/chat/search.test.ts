import { connect } from '@hearth/sdk';
import { startDocumentedServer } from '@hearth/testing/clients/documented-server';
import { startTestInstance } from '@hearth/testing/instances/test-instance';
import { until } from '@hearth/testing/until';
import { expect, test } from 'bun:test';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { search } from './search.ts';
import { tail } from './tail.ts';

/** Returns what a command prints that runs with such an output. */
async function printed(command: typeof search | typeof tail, url: string, isTTY: boolean) {
  const stdout = Object.assign(new PassThrough(), { isTTY });
  let stderr = '';
  const request = { url, query: { text: 'look' }, limit: 10, last: 10, follows: false };
  const exitCode = await command(
    { ...request, asJson: false },
    // Guarantee: only these are used.
    {
      env: {},
      warn: (line: string) => (stderr += line),
      streams: { ...process, stdout },
    } as unknown as Parameters<typeof search>[1],
  );
  stdout.end();
  return { exitCode, stdout: await text(stdout), stderr };
}

test('[SE11][OP52] search describes files on a terminal as tail does, and not in a pipe', async () => {
  await using instance = await startTestInstance();
  const { rest } = instance.addresses;
  await using client = await connect(rest, { author: 'ada' });
  const { id } = await client.files.upload(new File(['hello'], 'a.txt'));
  const address = client.files.url(id);
  await client.send(`look ${address}`);
  await until(async () => (await printed(search, rest, false)).stdout !== '');
  const piped = await printed(search, rest, false);
  expect(piped.stdout).toEndWith(` ada: look ${address}\n`);
  const shown = await printed(search, rest, true);
  expect(shown.stdout).toEndWith(` ada: look ${address} [a.txt · text · 5 bytes]\n`);
  for (const isTTY of [true, false]) {
    expect(await printed(tail, rest, isTTY)).toEqual(isTTY ? shown : piped);
  }
});

test('[SE11] search on a server without one says so', async () => {
  await using server = startDocumentedServer();
  const stderr = 'hearth: this server has no search\n';
  expect(await printed(search, server.url, false)).toEqual({ exitCode: 1, stdout: '', stderr });
});
