import { rm } from 'node:fs/promises';
import { loadConfig } from '../../../server/src/config/load-config.ts';
import { openOwnerContext, type OwnerContext } from '../../../server/src/instance.ts';
import { newDataFolder } from './new-data-folder.ts';
import type { TestInstance } from './test-instance.ts';

/**
 * A context without listeners: with the data of a running instance, or without data if no instance is given. `env` has
 * the variables that name the instance's servers.
 */
export async function openTestContext(
  instance?: Pick<TestInstance, 'folder'>,
  env: Readonly<Record<string, string>> = {},
): Promise<OwnerContext> {
  const folder = instance?.folder ?? (await newDataFolder());
  const { config } = await loadConfig({
    env: { LOG_LEVEL: 'silent', ...env },
    workingDir: folder,
    writeMissingFile: false,
  });
  const context = await openOwnerContext(config, 'adding');
  return {
    ...context,
    async [Symbol.asyncDispose]() {
      await context[Symbol.asyncDispose]();
      if (instance === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}
