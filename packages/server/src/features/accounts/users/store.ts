import type { Id } from '@hearth/protocol';
import { folded } from '../../../lib/skeleton.ts';
import type { Reader, Transaction, Writer } from '../../../ports/database/database.ts';
import { isNumeric } from '../../../ports/database/table-data.ts';
import { NO_PERMISSIONS } from './staff-permissions.ts';
import { usersTables, type UsersTable } from './tables.ts';

/** The columns that are given of a new account; without settings or an inviter, there are none. */
export type NewUser = Pick<
  UsersTable,
  | 'id'
  | 'username'
  | 'display_name'
  | 'email'
  | 'email_key'
  | 'password_hash'
  | 'state'
  | 'staff_permissions'
  | 'created_at_ms'
> &
  Partial<Pick<UsersTable, 'settings' | 'invited_by'>>;

/** Until when a name that looks like one of these is not free, in Unix milliseconds: 0 if it is free. */
export async function selectReservedUntil(
  db: Reader,
  skeletons: readonly string[],
): Promise<number> {
  const rows = await db
    .selectFrom('user_names')
    .select('free_at_ms')
    .where('skeleton', 'in', skeletons)
    .execute();
  const moments = rows.map(({ free_at_ms }) => free_at_ms || Infinity);
  return Math.max(0, ...moments);
}

/** Resolves with whether any name is or was taken. */
export async function selectHasNames(db: Reader): Promise<boolean> {
  const row = await db.selectFrom('user_names').select('skeleton').limit(1).executeTakeFirst();
  return row !== undefined;
}

export async function selectUsers(db: Reader, ids: readonly Id[]): Promise<readonly UsersTable[]> {
  return await db.selectFrom('users').selectAll().where('id', 'in', ids).execute();
}

/** Adds an account; false if another one has its address for mail. */
export async function insertUser(db: Writer, user: NewUser): Promise<boolean> {
  const row = await db
    .insertInto('users')
    .values({
      bio: '',
      pronouns: '',
      avatar: '',
      banner: '',
      email_verified_at_ms: 0,
      pending_email: '',
      totp_since_ms: 0,
      erases_content: 0,
      settings: '{}',
      invited_by: '',
      version: 1,
      ...user,
    })
    .onConflict((conflict) => conflict.column('email_key').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function selectUser(db: Reader, id: Id): Promise<UsersTable | undefined> {
  return await userOfId(db, id).executeTakeFirst();
}

/**
 * An account by its id, which no other transaction changes or refers to until the end of this one: for a transaction that may
 * change its address or end it.
 */
export async function lockUser(db: Writer, id: Id): Promise<UsersTable | undefined> {
  return await userOfId(db, id).forUpdate().executeTakeFirst();
}

/**
 * Reads an account for a transaction that does neither: others may refer to the account meanwhile, as what it writes
 * elsewhere does.
 */
export async function holdAccount(db: Writer, id: Id): Promise<UsersTable | undefined> {
  return await userOfId(db, id).forNoKeyUpdate().executeTakeFirst();
}

function userOfId(db: Reader, id: Id) {
  return db.selectFrom('users').selectAll().where('id', '=', id);
}

const HOLD_MANY = `select users.id, users.username, users.display_name, users.state, users.created_at_ms
  from given join users on users.id = given.id order by users.id`;

/** Accounts by their ids, in whose order they are locked: as `holdAccount` has it of one. */
export async function holdUsers(
  tx: Transaction,
  ids: ReadonlySet<Id>,
): Promise<
  readonly Pick<UsersTable, 'id' | 'username' | 'display_name' | 'state' | 'created_at_ms'>[]
> {
  return await tx.many({
    text: HOLD_MANY,
    columns: { id: 'text' },
    rows: Array.from(ids, (id) => [id]),
    locks: 'for no key update of users',
  });
}

/** An account that has not been deleted, by its name or by its folded address for mail. */
export async function selectUserBy(
  db: Reader,
  key: { readonly username: string } | { readonly emailKey: string },
): Promise<UsersTable | undefined> {
  const all = db.selectFrom('users').selectAll().where('state', '!=', 'deleted');
  const query =
    'username' in key
      ? all.where('username', '=', key.username)
      : all.where('email_key', '=', key.emailKey);
  return await query.executeTakeFirst();
}

/** The ids of active accounts, by their names. */
export async function selectIdsOfNames(
  db: Reader,
  names: readonly string[],
): Promise<ReadonlyMap<string, Id>> {
  if (names.length === 0) return new Map();
  const rows = await db
    .selectFrom('users')
    .select(['id', 'username'])
    .where('username', 'in', names)
    .where('state', '=', 'active')
    .execute();
  return new Map(rows.map(({ id, username }) => [username, id]));
}

/** Changes columns of an account, and raises its version. */
export async function updateUser(
  db: Writer,
  id: Id,
  columns: Partial<Omit<UsersTable, 'id' | 'version'>>,
): Promise<void> {
  await db
    .updateTable('users')
    .set((own) => ({ ...columns, version: own('version', '+', 1) }))
    .where('id', '=', id)
    .execute();
}

/** Replaces a picture of a profile by an upload, or by none if the id is empty. */
export async function updatePicture(
  db: Writer,
  id: Id,
  picture: { readonly use: 'avatar' | 'banner'; readonly id: Id | '' },
): Promise<void> {
  await db
    .updateTable('users')
    .set({ [picture.use]: picture.id })
    .where('id', '=', id)
    .execute();
}

/** Replaces the hash of a password, unless it has changed since it was read. */
export async function replacePasswordHash(
  db: Writer,
  { id, from, to }: { readonly id: Id; readonly from: string; readonly to: string },
): Promise<void> {
  await db
    .updateTable('users')
    .set({ password_hash: to })
    .where('id', '=', id)
    .where('password_hash', '=', from)
    .execute();
}

/** Replaces a password. An address that is not verified yet is no longer waited for. Raises the version. */
export async function updatePassword(db: Writer, id: Id, passwordHash: string): Promise<void> {
  await updateUser(db, id, { password_hash: passwordHash, pending_email: '' });
}

/** Replaces the address of an account; false if another one has it. `verifiedAtMs` is 0 if it is not verified. Raises the version. */
export async function updateEmail(
  db: Writer,
  id: Id,
  { email, verifiedAtMs }: { readonly email: string; readonly verifiedAtMs: number },
): Promise<boolean> {
  const emailKey = folded(email);
  const other = await selectUserBy(db, { emailKey });
  if (other !== undefined && other.id !== id) return false;
  const verified = { email_verified_at_ms: verifiedAtMs, pending_email: '' };
  await updateUser(db, id, { email, email_key: emailKey, ...verified });
  return true;
}

/** Columns of an account that stay when it is deleted. */
const KEPT: ReadonlySet<string> = new Set<keyof UsersTable>(['id', 'created_at_ms', 'version']);

/** Empties an account but for its id and when it was made. Raises the version. */
export async function emptyUser(db: Writer, id: Id): Promise<void> {
  const emptied = Object.entries(usersTables.tables.users.columns)
    .filter(([name]) => !KEPT.has(name))
    .map(([name, type]) => [name, isNumeric(type) ? 0 : ''] as const);
  await updateUser(db, id, {
    ...Object.fromEntries(emptied),
    email_key: null,
    staff_permissions: NO_PERMISSIONS,
    settings: '{}',
    state: 'deleted',
  });
}

/** Notes that what the person of an account wrote and uploaded goes with it. */
export async function noteErasure(db: Writer, id: Id): Promise<void> {
  await db.updateTable('users').set({ erases_content: 1 }).where('id', '=', id).execute();
}
