import { lockDataFolder } from '../../src/ports/database/data-lock.ts';
import { LineProcess, linesOf } from './line-process.ts';

/**
 * Another process that claims a data folder. It says `trying`, then `held` or `refused`; told anything, it gives the
 * folder back and says `released`, and goes on running.
 */
export function lockingProcess(folder: string): LineProcess {
  return new LineProcess(import.meta.path, folder);
}

async function run(folder: string): Promise<void> {
  process.stdout.write('trying\n');
  const lock = lockDataFolder(folder);
  process.stdout.write(lock === undefined ? 'refused\n' : 'held\n');
  for await (const _line of linesOf(Bun.stdin.stream())) {
    lock?.[Symbol.dispose]();
    process.stdout.write('released\n');
  }
}

if (import.meta.main) await run(process.argv[2] ?? '');
