import { join } from 'node:path';
import { lineLike, RunningSubject, type Subject } from './subject.ts';

const FOLDER = join(import.meta.dir, '../yardsticks');

/** A yardstick of the folder `yardsticks`, which prints its port when it listens. */
export function bunYardstick(name: string, script: string): Subject {
  return { name, start: () => start([process.execPath, join(FOLDER, script)]) };
}

/** A yardstick that Node runs; undefined where there is no Node. */
export function nodeYardstick(name: string, script: string): Subject | undefined {
  const node = Bun.which('node');
  if (node === null) return undefined;
  return { name, start: () => start([node, join(FOLDER, script)]) };
}

async function start(command: string[]): Promise<RunningSubject> {
  const child = Bun.spawn(command, { stdin: 'ignore', stdout: 'pipe', stderr: 'inherit' });
  const [, port] = await lineLike(child.stdout, /^(\d+)\n/);
  const number = Number(port);
  return new RunningSubject(child, { rest: number, gateway: number, files: number });
}
