import type { Id } from '@hearth/protocol';
import type { Reader } from '../../../ports/database/database.ts';

/**
 * Resolves with whether everyone may see and join a community. A hidden one has no row here, as one that is not there.
 */
export async function selectIsOpen(db: Reader, id: Id): Promise<boolean> {
  const row = await db
    .selectFrom('communities')
    .select('id')
    .where('id', '=', id)
    .where('deleted_at_ms', '=', 0)
    .where('visibility', '!=', 'private')
    .where('join_mode', '=', 'open')
    .executeTakeFirst();
  return row !== undefined;
}
