import { ConflictError } from '@hearth/protocol';
import type { Writer } from '../../../ports/database/database.ts';
import { countBans, deleteEndedBans } from './store.ts';

/** How many bans there may be: every process holds all of them in memory. */
const MOST_BANS = 10_000;

/** Deletes the bans that have ended. Throws ConflictError if there is no room for another one. */
export async function requireRoom(db: Writer, nowMs: number): Promise<void> {
  await deleteEndedBans(db, nowMs);
  if ((await countBans(db)) < MOST_BANS) return;
  throw new ConflictError({ code: 'too_many', field_name: 'bans' }, { most: MOST_BANS });
}
