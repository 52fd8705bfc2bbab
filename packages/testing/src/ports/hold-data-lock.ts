import { lockDataFolder, lockIncoming } from '../../../server/src/ports/database/data-lock.ts';
import { LineProcess, linesOf } from '../line-process.ts';

/** The thing that the other process claims: the folder, or the files that are being written in it. */
type Claim = 'folder' | 'writing' | 'sweeping';

/**
 * Another process that claims a data folder. It prints `trying`, then `held`, or `refused` and the milliseconds until then.
 * After any line of input it releases the folder, prints `released` and keeps running.
 */
export function lockingProcess(folder: string, claim: Claim = 'folder'): LineProcess {
  return new LineProcess(import.meta.path, folder, claim);
}

async function run(folder: string, claim: string): Promise<void> {
  process.stdout.write('trying\n');
  const startedAt = performance.now();
  const lock = await take(folder, claim);
  const waitedMs = Math.round(performance.now() - startedAt);
  process.stdout.write(lock === undefined ? `refused ${waitedMs}\n` : 'held\n');
  for await (const _line of linesOf(Bun.stdin.stream())) {
    lock?.[Symbol.dispose]();
    process.stdout.write('released\n');
  }
}

async function take(folder: string, claim: string): Promise<Disposable | undefined> {
  if (claim === 'writing' || claim === 'sweeping') return lockIncoming(folder, claim);
  return lockDataFolder(folder);
}

if (import.meta.main) await run(process.argv[2] ?? '', process.argv[3] ?? '');
