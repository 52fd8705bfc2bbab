import { expect, test } from 'bun:test';
import { freePorts } from '@hearth/testing/free-ports';
import { tempFolder } from '@hearth/testing/temp-folder';
import { START_COMMAND } from './start.ts';

async function startAndStop(env: Record<string, string>) {
  await using folder = await tempFolder();
  const [rest, gateway, files] = await freePorts(3);
  const printed: string[] = [];
  const code = await START_COMMAND.run(
    { args: [], flags: new Map() },
    {
      env: {
        ...env,
        OPRISH_PORT: String(rest),
        PANDEMONIUM_PORT: String(gateway),
        EFFIS_PORT: String(files),
        WEB_PORT: 'off',
        LOG_LEVEL: 'silent',
      },
      workingDir: folder.path,
      print: (text) => printed.push(text),
      warn: (text) => printed.push(text),
      streams: process,
      listenForStop: () => AbortSignal.abort(),
    },
  );
  return { code, printed, rest };
}

test('a signal during the start ends it cleanly, without a banner', async () => {
  const { code, printed, rest } = await startAndStop({});
  expect(code).toBe(0);
  expect(printed).toEqual(['Stopping…\n']);
  await expect(fetch(`http://127.0.0.1:${rest}`)).rejects.toThrow('connect');
});

test('a signal cleanly ends a start that waits for a server', async () => {
  const [nobody] = await freePorts(1);
  const { code, printed } = await startAndStop({
    DATABASE_URL: `postgres://hearth@127.0.0.1:${nobody}/hearth`,
    CONNECT_TIMEOUT: '8',
  });
  expect(code).toBe(0);
  expect(printed).toEqual(['Stopping…\n']);
});
