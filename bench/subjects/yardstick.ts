import { join } from 'node:path';
import { endWith, temporaryFolder } from './left-behind.ts';
import { nodeProgram } from './programs.ts';
import { lineLike, RunningSubject, type Subject } from './subject.ts';

const FOLDER = join(import.meta.dir, '../yardsticks');

/** A yardstick in the folder `yardsticks`, which prints its port when it listens. */
export function bunYardstick(name: string, script: string, ...args: readonly string[]): Subject {
  return { name, start: () => start([process.execPath, join(FOLDER, script), ...args]) };
}

/** A yardstick that Node runs; undefined if Node is not installed. */
export function nodeYardstick(name: string, script: string): Subject | undefined {
  const node = nodeProgram();
  if (node === undefined) return undefined;
  return { name, start: () => start([node, join(FOLDER, script)]) };
}

/** It is started in its own folder, into which it writes. */
async function start(command: string[]): Promise<RunningSubject> {
  await using resources = new AsyncDisposableStack();
  const { path: cwd } = resources.use(temporaryFolder());
  const child = Bun.spawn(command, { cwd, stdin: 'ignore', stdout: 'pipe', stderr: 'inherit' });
  endWith(resources, child);
  const [, port] = await lineLike(child.stdout, /^(\d+)\n/);
  const number = Number(port);
  const ports = { rest: number, gateway: number, files: number };
  return new RunningSubject([child.pid], ports, resources.move());
}
