import { expect, test } from 'bun:test';
import { createServer } from 'node:net';
import { freePorts } from './free-ports.ts';
import { givingProcess } from './giving-process.ts';

test('ports are assigned in turn, so that no unused port is assigned twice', async () => {
  const ports = (await Promise.all(Array.from({ length: 30 }, () => freePorts(3)))).flat();
  expect(new Set(ports).size).toBe(90);
  for (const port of ports) expect(port).toBeWithin(20_000, 32_000);
});

test('a port that is in use is skipped', async () => {
  const [last = 0] = await freePorts(1);
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(last + 1, '127.0.0.1', resolve));
  expect(await freePorts(2)).not.toContain(last + 1);
  await new Promise((resolve) => server.close(resolve));
});

test('processes that run at the same time assign different ports', async () => {
  await using one = givingProcess(200);
  await using another = givingProcess(200);
  const others = [await one.says(), await another.says()].map((line) =>
    line.split(',').map(Number),
  );
  const given = [...(await freePorts(200)), ...others.flat()];
  expect(new Set(given).size).toBe(600);
});
