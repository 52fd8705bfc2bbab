import { parseId, type Id, type PermissionMask, type StaffPermission } from '@hearth/protocol';
import type { Reader } from '../../../ports/database/database.ts';
import { NO_PERMISSIONS, type UsersTable } from '../users/users.ts';

/** An account, as those who manage accounts see it. */
export interface ManagedUser {
  readonly id: Id;
  readonly username: string;
  readonly displayName: string;
  readonly email: string;
  readonly isEmailVerified: boolean;
  readonly state: UsersTable['state'];
  readonly staffPermissions: PermissionMask<StaffPermission>;
  readonly createdAtMs: number;
  /** Whose invite to a community they registered with; empty if it was none, or if that account was deleted. */
  readonly invitedBy: Id | '';
}

export interface UserFilter {
  readonly state: ManagedUser['state'] | undefined;
  readonly isStaff: boolean;
  /** Only those that this account has invited. */
  readonly invitedBy?: Id | undefined;
  readonly limit: number;
}

/** Accounts, the newest first; without those that are deleted unless they are asked for. */
export async function selectUsers(
  db: Reader,
  { state, isStaff, invitedBy, limit }: UserFilter,
): Promise<readonly ManagedUser[]> {
  let query = db
    .selectFrom('users')
    .selectAll()
    .orderBy('created_at_ms', 'desc')
    .orderBy('id', 'desc')
    .limit(limit);
  query =
    state === undefined ? query.where('state', '!=', 'deleted') : query.where('state', '=', state);
  if (isStaff) query = query.where('staff_permissions', '!=', NO_PERMISSIONS);
  if (invitedBy !== undefined) query = query.where('invited_by', '=', invitedBy);
  return (await query.execute()).map(userOf);
}

/** The account with this id, and the one with this name that is not deleted. */
export async function selectManagedUsers(
  db: Reader,
  idOrName: string,
): Promise<readonly ManagedUser[]> {
  const id = parseId(idOrName);
  const rows = await db
    .selectFrom('users')
    .selectAll()
    .where((where) =>
      where.or([
        ...(id === undefined ? [] : [where('id', '=', id)]),
        where.and([where('username', '=', idOrName), where('state', '!=', 'deleted')]),
      ]),
    )
    .execute();
  return rows.map(userOf);
}

/** The name of an account; undefined if it was deleted. */
export async function selectName(db: Reader, id: Id): Promise<string | undefined> {
  const row = await db
    .selectFrom('users')
    .select('username')
    .where('id', '=', id)
    .where('state', '!=', 'deleted')
    .executeTakeFirst();
  return row?.username;
}

/** When an account was used last; undefined if it never was. */
export async function selectLastUse(db: Reader, id: Id): Promise<number | undefined> {
  const row = await db
    .selectFrom('sessions')
    .select(({ fn }) => fn.max('last_used_at_ms').as('at'))
    .where('user_id', '=', id)
    .executeTakeFirst();
  return row?.at === undefined || row.at === null ? undefined : Number(row.at);
}

/** A session that has not ended, and whose it is. */
export interface ManagedSession {
  readonly id: Id;
  readonly userId: Id;
  readonly username: string;
  readonly clientName: string;
  readonly clientPlatform: string;
  readonly addressHint: string;
  readonly createdAtMs: number;
  readonly lastUsedAtMs: number;
}

/** Sessions that have not ended, of a user or of all, the one used last first. */
export async function selectManagedSessions(
  db: Reader,
  { userId, limit }: { readonly userId: Id | undefined; readonly limit: number },
): Promise<readonly ManagedSession[]> {
  const query = managedSessions(db).orderBy('last_used_at_ms', 'desc').limit(limit);
  const rows = await (
    userId === undefined ? query : query.where('sessions.user_id', '=', userId)
  ).execute();
  return rows.map((row) => ({
    id: row.id,
    userId: row.user_id,
    username: row.username,
    clientName: row.client_name,
    clientPlatform: row.client_platform,
    addressHint: row.address_hint,
    createdAtMs: row.created_at_ms,
    lastUsedAtMs: row.last_used_at_ms,
  }));
}

/** Whose session this is; undefined if there is none that has not ended. */
export async function selectSessionUser(db: Reader, id: Id): Promise<Id | undefined> {
  const row = await db
    .selectFrom('sessions')
    .select('user_id')
    .where('id', '=', id)
    .where('ended_at_ms', '=', 0)
    .executeTakeFirst();
  return row?.user_id;
}

function managedSessions(db: Reader) {
  return db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select([
      'sessions.id',
      'sessions.user_id',
      'users.username',
      'sessions.client_name',
      'sessions.client_platform',
      'sessions.address_hint',
      'sessions.created_at_ms',
      'sessions.last_used_at_ms',
    ])
    .where('sessions.ended_at_ms', '=', 0);
}

function userOf(row: UsersTable): ManagedUser {
  return {
    id: row.id,
    username: row.username,
    displayName: row.display_name,
    email: row.email,
    isEmailVerified: row.email_verified_at_ms > 0,
    state: row.state,
    staffPermissions: row.staff_permissions,
    createdAtMs: row.created_at_ms,
    invitedBy: row.invited_by,
  };
}
