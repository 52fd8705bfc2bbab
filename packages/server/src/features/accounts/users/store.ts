import type { Id, PermissionMask, StaffPermission } from '@hearth/protocol';
import { folded } from '../../../lib/skeleton.ts';
import type { Reader, Writer } from '../../../ports/database/database.ts';
import type { UsersTable } from './tables.ts';

export interface StoredUser {
  readonly id: Id;
  readonly username: string;
  readonly displayName: string;
  readonly bio: string;
  readonly pronouns: string;
  readonly avatar: string;
  readonly banner: string;
  readonly email: string;
  readonly isEmailVerified: boolean;
  /** The address that replaces it once it is verified; empty if there is none. */
  readonly pendingEmail: string;
  readonly passwordHash: string;
  readonly hasTotp: boolean;
  readonly state: UsersTable['state'];
  readonly staffPermissions: PermissionMask<StaffPermission>;
  readonly settings: string;
  /** Empty if nobody did, or if that account was deleted. */
  readonly invitedBy: Id | '';
  readonly createdAtMs: number;
  readonly version: number;
}

export interface NewUser {
  readonly id: Id;
  readonly username: string;
  readonly displayName: string;
  readonly email: string;
  /** The folded address; null if there is none. */
  readonly emailKey: string | null;
  readonly passwordHash: string;
  readonly state: 'active' | 'pending';
  readonly staffPermissions: PermissionMask<StaffPermission>;
  /** As JSON; without it, there are none. */
  readonly settings?: string;
  readonly invitedBy?: Id | undefined;
  readonly createdAtMs: number;
}

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

/** Whether any name is or was taken. */
export async function selectHasNames(db: Reader): Promise<boolean> {
  const row = await db.selectFrom('user_names').select('skeleton').limit(1).executeTakeFirst();
  return row !== undefined;
}

export async function selectUsers(db: Reader, ids: readonly Id[]): Promise<readonly StoredUser[]> {
  const rows = await db.selectFrom('users').selectAll().where('id', 'in', ids).execute();
  return rows.map(userOf);
}

/** Adds an account; false if another one has its address for mail. */
export async function insertUser(db: Writer, user: NewUser): Promise<boolean> {
  const row = await db
    .insertInto('users')
    .values({
      id: user.id,
      username: user.username,
      display_name: user.displayName,
      bio: '',
      pronouns: '',
      avatar: '',
      banner: '',
      email: user.email,
      email_key: user.emailKey,
      email_verified_at_ms: 0,
      pending_email: '',
      password_hash: user.passwordHash,
      totp_since_ms: 0,
      state: user.state,
      erases_content: 0,
      staff_permissions: user.staffPermissions,
      settings: user.settings ?? '{}',
      invited_by: user.invitedBy ?? '',
      created_at_ms: user.createdAtMs,
      version: 1,
    })
    .onConflict((conflict) => conflict.column('email_key').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function selectUser(db: Reader, id: Id): Promise<StoredUser | undefined> {
  const row = await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
  return row === undefined ? undefined : userOf(row);
}

/**
 * An account by its id, which no other transaction changes or refers to until the end of this one: for a transaction that may
 * change its address or end it.
 */
export async function lockUser(db: Writer, id: Id): Promise<StoredUser | undefined> {
  const row = await userOfId(db, id).forUpdate().executeTakeFirst();
  return row === undefined ? undefined : userOf(row);
}

/** The same for a transaction that does neither: others may refer to the account meanwhile, as what it writes elsewhere does. */
export async function holdUser(db: Writer, id: Id): Promise<StoredUser | undefined> {
  const row = await userOfId(db, id).forNoKeyUpdate().executeTakeFirst();
  return row === undefined ? undefined : userOf(row);
}

function userOfId(db: Writer, id: Id) {
  return db.selectFrom('users').selectAll().where('id', '=', id);
}

/** An account that has not been deleted, by its name or by its folded address for mail. */
export async function selectUserBy(
  db: Reader,
  key: { readonly username: string } | { readonly emailKey: string },
): Promise<StoredUser | undefined> {
  const all = db.selectFrom('users').selectAll().where('state', '!=', 'deleted');
  const query =
    'username' in key
      ? all.where('username', '=', key.username)
      : all.where('email_key', '=', key.emailKey);
  const row = await query.executeTakeFirst();
  return row === undefined ? undefined : userOf(row);
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

/** What a person says of themselves, and their settings as JSON. */
export type Profile = Pick<StoredUser, 'displayName' | 'bio' | 'pronouns' | 'settings'>;

export async function updateProfile(
  db: Writer,
  id: Id,
  { displayName, bio, pronouns, settings }: Profile,
): Promise<void> {
  await db
    .updateTable('users')
    .set((expressions) => ({
      display_name: displayName,
      bio,
      pronouns,
      settings,
      version: expressions('version', '+', 1),
    }))
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
  await db
    .updateTable('users')
    .set(({ eb }) => ({
      password_hash: passwordHash,
      pending_email: '',
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .execute();
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
  await db
    .updateTable('users')
    .set(({ eb }) => ({
      email,
      email_key: emailKey,
      email_verified_at_ms: verifiedAtMs,
      pending_email: '',
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .execute();
  return true;
}

/** Notes the address that replaces the one of an account once it is verified; empty for none. Raises the version. */
export async function updatePendingEmail(db: Writer, id: Id, email: string): Promise<void> {
  await db
    .updateTable('users')
    .set(({ eb }) => ({ pending_email: email, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute();
}

/** Notes since when an account has a second factor; 0 for none. Raises the version. */
export async function updateTotpSince(db: Writer, id: Id, sinceMs: number): Promise<void> {
  await db
    .updateTable('users')
    .set(({ eb }) => ({ totp_since_ms: sinceMs, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute();
}

/** Changes the state of an account. Raises the version. */
export async function updateState(db: Writer, id: Id, state: StoredUser['state']): Promise<void> {
  await db
    .updateTable('users')
    .set((own) => ({ state, version: own('version', '+', 1) }))
    .where('id', '=', id)
    .execute();
}

/** Replaces what an account may do as staff. Raises the version. */
export async function updateStaffPermissions(
  db: Writer,
  id: Id,
  permissions: StoredUser['staffPermissions'],
): Promise<void> {
  await db
    .updateTable('users')
    .set((own) => ({
      staff_permissions: permissions,
      version: own('version', '+', 1),
    }))
    .where('id', '=', id)
    .execute();
}

function userOf(row: UsersTable): StoredUser {
  return {
    id: row.id,
    username: row.username,
    displayName: row.display_name,
    bio: row.bio,
    pronouns: row.pronouns,
    avatar: row.avatar,
    banner: row.banner,
    email: row.email,
    isEmailVerified: row.email_verified_at_ms > 0,
    pendingEmail: row.pending_email,
    passwordHash: row.password_hash,
    hasTotp: row.totp_since_ms > 0,
    state: row.state,
    staffPermissions: row.staff_permissions,
    settings: row.settings,
    invitedBy: row.invited_by,
    createdAtMs: row.created_at_ms,
    version: Number(row.version),
  };
}
