import { existsSync, watch } from 'node:fs';
import { dirname } from 'node:path';

/** Resolves when the file at `path` exists. Its folder must exist already. */
export function whenMade(path: string): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!existsSync(path)) return;
      watcher.close();
      resolve();
    };
    const watcher = watch(dirname(path), look);
    look();
  });
}
