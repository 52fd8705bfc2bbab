import type { Id } from '@hearth/protocol';
import type { Transaction } from '../../../ports/database/database.ts';
import type { StoredUser } from './store.ts';
import type { UsersTable } from './tables.ts';

const HOLD_MANY = `select users.id, users.username, users.display_name, users.state, users.created_at_ms
  from given join users on users.id = given.id order by users.id`;

export type HeldUser = Pick<
  StoredUser,
  'id' | 'username' | 'displayName' | 'state' | 'createdAtMs'
>;

type HeldRow = Pick<UsersTable, 'id' | 'username' | 'display_name' | 'state' | 'created_at_ms'>;

/** Accounts by their ids, in whose order they are locked: as `holdUser` has it of one. */
export async function holdUsers(
  tx: Transaction,
  ids: ReadonlySet<Id>,
): Promise<readonly HeldUser[]> {
  const rows = await tx.many<HeldRow>({
    text: HOLD_MANY,
    columns: { id: 'text' },
    rows: Array.from(ids, (id) => [id]),
    locks: 'for no key update of users',
  });
  return rows.map((row) => ({
    id: row.id,
    username: row.username,
    displayName: row.display_name,
    state: row.state,
    createdAtMs: row.created_at_ms,
  }));
}
