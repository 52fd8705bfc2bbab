import { freePorts } from './free-ports.ts';
import { LineProcess, linesOf } from './line-process.ts';

/** Starts a process that prints this many free ports, separated by commas, and claims them until it ends. */
export function givingProcess(count: number): LineProcess {
  return new LineProcess(import.meta.path, String(count));
}

async function run(count: number): Promise<void> {
  process.stdout.write(`${(await freePorts(count)).join()}\n`);
  for await (const _line of linesOf(Bun.stdin.stream()));
}

if (import.meta.main) await run(Number(process.argv[2]));
