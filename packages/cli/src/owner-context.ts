import { loadConfig, openOwnerContext, type OwnerContext, type OwnerPurpose } from '@hearth/server';
import { warnings, type Surroundings } from './command.ts';

/** Runs `use` on the data of the configured instance, even while it runs. Throws ConfigError and StartError. */
export async function withOwnerContext<Result>(
  { env, workingDir, warn }: Surroundings,
  purpose: OwnerPurpose,
  use: (ctx: OwnerContext) => Promise<Result>,
): Promise<Result> {
  const onWarning = warnings(warn);
  const { config } = await loadConfig({ env, workingDir, writeMissingFile: false, onWarning });
  await using ctx = await openOwnerContext(config, purpose);
  return await use(ctx);
}
