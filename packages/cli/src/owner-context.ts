import { loadConfig, openOwnerContext, type OwnerContext } from '@hearth/server';
import type { Surroundings } from './command.ts';

/** Runs `use` on the data of the configured instance, which may be running. Throws ConfigError and StartError. */
export async function withOwnerContext<Result>(
  { env, workingDir }: Surroundings,
  use: (ctx: OwnerContext) => Promise<Result>,
): Promise<Result> {
  const { config } = await loadConfig({ env, workingDir, writeMissingFile: false });
  await using ctx = await openOwnerContext(config);
  return await use(ctx);
}
