import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../src/config/load-config.ts';
import { openOwnerContext, type OwnerContext } from '../../src/instance.ts';
import type { TestInstance } from './test-instance.ts';

/** A context without doors: with the data of a running instance, or with none where no instance is given. */
export async function openTestContext(
  instance?: Pick<TestInstance, 'folder'>,
): Promise<OwnerContext> {
  const folder = instance?.folder ?? (await mkdtemp(join(tmpdir(), 'hearth-')));
  const { config } = await loadConfig({
    env: { LOG_LEVEL: 'silent' },
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
