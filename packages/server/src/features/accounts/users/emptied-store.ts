import { isNumeric } from '../../../ports/database/table-data.ts';
import type { Id } from '@hearth/protocol';
import type { Writer } from '../../../ports/database/database.ts';
import { NO_PERMISSIONS } from './no-permissions.ts';
import { usersTables, type UsersTable } from './tables.ts';

/** Columns of an account that stay when it is deleted. */
const KEPT: ReadonlySet<string> = new Set<keyof UsersTable>(['id', 'created_at_ms']);

/** Empties an account but for its id and when it was made. */
export async function emptyUser(db: Writer, id: Id): Promise<void> {
  const emptied = Object.entries(usersTables.tables.users.columns)
    .filter(([name]) => !KEPT.has(name))
    .map(([name, type]) => [name, isNumeric(type) ? 0 : ''] as const);
  await db
    .updateTable('users')
    .set((expressions) => ({
      ...Object.fromEntries(emptied),
      email_key: null,
      staff_permissions: NO_PERMISSIONS,
      settings: '{}',
      state: 'deleted',
      version: expressions('version', '+', 1),
    }))
    .where('id', '=', id)
    .execute();
}

/** Notes that what the person of an account wrote and uploaded goes with it. */
export async function noteErasure(db: Writer, id: Id): Promise<void> {
  await db.updateTable('users').set({ erases_content: 1 }).where('id', '=', id).execute();
}
