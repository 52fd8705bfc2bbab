import { afterEach, beforeEach, expect, test } from 'bun:test';
import { readFile } from 'node:fs/promises';
import type { HearthProcess } from '@hearth/testing/programs/hearth-process';
import { Home } from './support/home.ts';
import { isRefused, readInfo } from './support/talk.ts';

/** As npx sets them for the shell in which it runs a program. */
const NPX_ENV = { npm_command: 'exec', npm_lifecycle_event: 'npx', npm_lifecycle_script: "'bun'" };

let home: Home;
/** Groups of processes that a test has started through a shell. */
let groups: number[];

beforeEach(async () => {
  home = await Home.make();
  groups = [];
});

afterEach(async () => {
  for (const group of groups) killGroup(group);
  await home[Symbol.asyncDispose]();
});

test('[OP41, OP42] an instance that a script starts in the background keeps running when the script ends', async () => {
  const script = `bun start >${home.path('out')} 2>&1 & echo "pid $!"`;
  const shell = await home.inRepository(['sh', '-c', script]);
  const runner = await pidFrom(shell);
  await shell.ended;
  await keepsRunning();
  process.kill(runner, 'SIGTERM');
  expect(await stopReason()).toBe('SIGTERM');
});

test('[OP40, OP41, OP42] an instance that was started with nohup keeps running when its terminal closes', async () => {
  const terminal = await home.inRepository(['bash', '--norc', '-i'], 'terminal');
  terminal.type(`nohup bun start >${home.path('out')} 2>&1 & echo "pid" "$!"\n`);
  const runner = await pidFrom(terminal);
  groups.push(runner);
  await started();
  terminal.hangUp();
  await terminal.ended;
  await keepsRunning();
  process.kill(runner, 'SIGTERM');
  expect(await stopReason()).toBe('SIGTERM');
});

test('[OP7, OP40, OP42] an instance in a terminal that closes stops cleanly and logs the reason', async () => {
  const terminal = await home.inRepository(['bash', '--norc', '-i'], 'terminal');
  terminal.type(`bun start 2>${home.path('out')}\n`);
  await terminal.stdout.find(/^Hearth \S+ is running/);
  terminal.hangUp();
  await terminal.ended;
  expect(await stopReason()).toBe('SIGHUP');
});

test('[OP7, OP41, OP42] an instance that npx started stops cleanly when the shell of npx ends, and logs the reason', async () => {
  // With a second command, the shell cannot replace itself with the first one.
  const command = ['sh', '-c', "'bun' start; exit"];
  const shell = await home.inRepository(command, 'pipes', NPX_ENV);
  await shell.started();
  shell.signal('SIGTERM');
  // The output ends when the last process that inherited it ends.
  const { stderr } = await shell.ended;
  expect(reasonIn(stderr)).toBe('npx has ended');
  expect(await isRefused(home.addresses.rest)).toBe(true);
});

function killGroup(group: number): void {
  try {
    process.kill(-group, 'SIGKILL');
  } catch {
    // The group has already ended.
  }
}

async function pidFrom({ stdout }: HearthProcess): Promise<number> {
  return Number((await stdout.find(/^pid \d+/)).slice('pid '.length));
}

const written = () => readFile(home.path('out'), 'utf8').catch(() => '');

/** Resolves when the instance that writes to the file `out` runs. */
async function started(): Promise<void> {
  while (!(await written()).includes('instance started')) await Bun.sleep(10);
}

/** Runs several commands, which gives a watch the time to react, and checks that the instance still runs. */
async function keepsRunning(): Promise<void> {
  await started();
  for (let run = 0; run < 4; run += 1) {
    expect((await home.run(['attachments', 'list'])).exitCode).toBe(0);
  }
  expect(await readInfo(home.addresses.rest)).toMatchObject({ effis_url: home.addresses.files });
}

async function stopReason(): Promise<unknown> {
  while (!(await written()).includes('instance stopped')) await Bun.sleep(10);
  return reasonIn(await written());
}

function reasonIn(log: string): unknown {
  const lines = log.split('\n').filter((line) => line.includes('"instance stopping"'));
  expect(lines).toHaveLength(1);
  return JSON.parse(lines[0] ?? '').reason;
}
