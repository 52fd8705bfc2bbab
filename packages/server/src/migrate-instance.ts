import { systemClock } from './clock.ts';
import type { Config } from './config/config.ts';
import type { MoveReport, MoveWatch } from './features/migration/move.ts';
import { createLogger } from './log/logger.ts';

/**
 * Moves the embedded instance in the data folder to the database and, where there is one, the storage of the
 * configuration. Rejects with the reason of the watch's signal where that ends it, and with StartError where the owner
 * has to mend something; either way another attempt goes on where this one was.
 */
export async function migrateInstance(config: Config, watch: MoveWatch): Promise<MoveReport> {
  await using resources = new AsyncDisposableStack();
  const log = await createLogger(config.deployment.logLevel);
  // No start is to load what a move needs.
  const [{ openMoveEnds }, { moveInstance }] = await Promise.all([
    import('./engines/move-ends.ts'),
    import('./features/migration/move-instance.ts'),
  ]);
  const ends = await openMoveEnds({ config, clock: systemClock, log, resources });
  return await moveInstance(ends, watch);
}
