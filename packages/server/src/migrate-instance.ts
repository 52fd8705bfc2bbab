import { systemClock } from './lib/clock.ts';
import type { Config } from './config/config.ts';
import type { MoveReport, MoveWatch } from './features/operation/move-instance/move-instance.ts';
import { createLogger } from './log/logger.ts';
import { TABLES } from './schema.ts';

/**
 * Moves the embedded instance in the data folder to the configuration's database and, if there is one, to its storage.
 * Rejects with the reason of the watch's signal if that ends it, and with StartError if the owner has to fix
 * something. In both cases another attempt continues from where this one stopped.
 */
export async function migrateInstance(
  config: Config,
  watch: Omit<MoveWatch, 'tables'>,
): Promise<MoveReport> {
  await using resources = new AsyncDisposableStack();
  const log = await createLogger(config.deployment.logLevel);
  // A start does not have to load what only a move needs.
  const [{ openMoveEnds }, { moveInstance }] = await Promise.all([
    import('./engines/move-ends.ts'),
    import('./features/operation/move-instance/move-instance.ts'),
  ]);
  const ends = await openMoveEnds({ config, clock: systemClock, log, resources });
  return await moveInstance(ends, { ...watch, tables: TABLES });
}
