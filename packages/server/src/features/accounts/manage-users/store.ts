import { parseId, type Id } from '@hearth/protocol';
import type { Reader } from '../../../ports/database/database.ts';
import { NO_PERMISSIONS, type UsersTable } from '../users/users.ts';

// By name, so that nothing else of an account gets to those who manage it.
const MANAGED = [
  'id',
  'username',
  'display_name',
  'email',
  'email_verified_at_ms',
  'state',
  'staff_permissions',
  'created_at_ms',
  'invited_by',
] as const satisfies readonly (keyof UsersTable)[];

/** An account, as those who manage accounts see it. */
export type ManagedUser = Readonly<Pick<UsersTable, (typeof MANAGED)[number]>>;

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
    .select(MANAGED)
    .orderBy('created_at_ms', 'desc')
    .orderBy('id', 'desc')
    .limit(limit);
  query =
    state === undefined ? query.where('state', '!=', 'deleted') : query.where('state', '=', state);
  if (isStaff) query = query.where('staff_permissions', '!=', NO_PERMISSIONS);
  if (invitedBy !== undefined) query = query.where('invited_by', '=', invitedBy);
  return await query.execute();
}

/** The account with this id, and the one with this name that is not deleted. */
export async function selectManagedUsers(
  db: Reader,
  idOrName: string,
): Promise<readonly ManagedUser[]> {
  const id = parseId(idOrName);
  return await db
    .selectFrom('users')
    .select(MANAGED)
    .where((where) =>
      where.or([
        ...(id === undefined ? [] : [where('id', '=', id)]),
        where.and([where('username', '=', idOrName), where('state', '!=', 'deleted')]),
      ]),
    )
    .execute();
}

/** The account with this id. Throws if there is none. */
export async function selectManagedUser(db: Reader, id: Id): Promise<ManagedUser> {
  return await db
    .selectFrom('users')
    .select(MANAGED)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
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

/** Sessions that have not ended, of a user or of all, the one used last first. */
export async function selectManagedSessions(
  db: Reader,
  { userId, limit }: { readonly userId: Id | undefined; readonly limit: number },
) {
  const query = db
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
    .where('sessions.ended_at_ms', '=', 0)
    .orderBy('last_used_at_ms', 'desc')
    .limit(limit);
  return await (
    userId === undefined ? query : query.where('sessions.user_id', '=', userId)
  ).execute();
}

/** A session that has not ended, and whose it is. */
export type ManagedSession = Readonly<Awaited<ReturnType<typeof selectManagedSessions>>[number]>;

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
