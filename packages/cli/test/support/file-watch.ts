import { existsSync, watch } from 'node:fs';
import { dirname } from 'node:path';

/** Resolves when there is something at `path`, whose folder exists. */
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
