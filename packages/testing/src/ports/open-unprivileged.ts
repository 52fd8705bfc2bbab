import { diskBlobs } from '../../../server/src/ports/blobs/disk.ts';
import { lockDataFolder, lockIncoming } from '../../../server/src/ports/database/data-lock.ts';
import { sqliteDatabase } from '../../../server/src/engines/databases.ts';
import { LineProcess } from '../line-process.ts';

const NOBODY = 65_534;

/** The things that can be opened, each by its path. */
const openers: Readonly<Record<string, (path: string) => unknown>> = {
  database: sqliteDatabase,
  blobs: diskBlobs,
  'data lock': lockDataFolder,
  'lock of writers': (folder) => lockIncoming(folder, 'writing'),
  'lock of a sweep': (folder) => lockIncoming(folder, 'sweeping'),
};

/** A process without root's rights that opens the thing at `path`. It prints `opened`, or why it failed. */
export function openingProcess(what: string, path: string): LineProcess {
  return new LineProcess(import.meta.path, what, path);
}

async function run(what: string, path: string): Promise<void> {
  if (process.getuid?.() === 0) {
    process.setgroups?.([]);
    process.setgid?.(NOBODY);
    process.setuid?.(NOBODY);
  }
  try {
    await openers[what]?.(path);
    process.stdout.write('opened\n');
  } catch (error) {
    process.stdout.write(`${String(error)}\n`);
  }
}

if (import.meta.main) await run(process.argv[2] ?? '', process.argv[3] ?? '');
