import { expect, test } from 'bun:test';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { run } from '@hearth/testing/programs/runtimes';
import { freePorts } from '@hearth/testing/free-ports';
import { ROOT } from './support/built-image.ts';

const PORT_NAMES = ['OPRISH_PORT', 'PANDEMONIUM_PORT', 'EFFIS_PORT', 'WEB_PORT'];

async function health(ports: readonly (number | string)[], others: Record<string, string> = {}) {
  const named = PORT_NAMES.map((name, index) => [name, `${ports[index]}`] as const);
  return run([process.execPath, join(ROOT, 'deploy/health.ts')], {
    env: { ...Object.fromEntries(named), ...others },
  });
}

function answering(requests: string[] = []) {
  return Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch(request) {
      requests.push(request.method);
      return new Response('', { status: 426 });
    },
  });
}

test('a container is healthy if one component answers, whichever it is', async () => {
  const requests: string[] = [];
  await using server = answering(requests);
  const free = await freePorts(3);
  for (const place of [0, 1, 2, 3]) {
    const { exitCode, stdout } = await health(free.toSpliced(place, 0, Number(server.port)));
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`${server.port} answers`);
  }
  expect(requests).toEqual(['OPTIONS', 'OPTIONS', 'OPTIONS', 'OPTIONS']);
});

test('a container in which nothing answers is not healthy', async () => {
  expect((await health(await freePorts(4))).exitCode).toBe(1);
});

test('a container is not healthy if one component answers and another is silent', async () => {
  await using server = answering();
  const silent = createServer();
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', () => resolve()));
  const address = silent.address();
  const port = typeof address === 'object' ? Number(address?.port) : 0;
  const { exitCode, stdout } = await health([Number(server.port), port, ...(await freePorts(2))]);
  silent.close();
  expect(exitCode).toBe(1);
  expect(stdout).toContain(`${port} is silent`);
});

test('a web client that is switched off is not checked', async () => {
  await using server = answering();
  const [one, two] = await freePorts(2);
  const { stdout } = await health([Number(server.port), `${one}`, `${two}`, 'off']);
  expect(stdout.split(', ')).toHaveLength(3);
});

test.each(['0.0.0.0', '127.0.0.1', 'localhost'])('the check works if HOST is %s', async (host) => {
  await using server = answering();
  const ports = [Number(server.port), ...(await freePorts(3))];
  expect((await health(ports, { HOST: host })).exitCode).toBe(0);
});
