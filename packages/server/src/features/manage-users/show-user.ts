import type { Actor } from '../../actor.ts';
import type { Context } from '../../context.ts';
import { INSTANCE, requirePermission } from '../../permissions.ts';
import { findAnswer } from '../registration/requests.ts';
import { findManagedUser } from './find-managed-user.ts';
import { selectLastUse, type ManagedUser } from './store.ts';

/** An account with what is known about its use. */
export interface ShownUser extends ManagedUser {
  /** When a session of it was used last; undefined if it never was. */
  readonly lastUsedAtMs: number | undefined;
  /** What the person answered who waits for approval. */
  readonly answer: string | undefined;
}

/** The account with this id or name. Throws ForbiddenError and NotFoundError. */
export async function showUser(
  { database }: Pick<Context, 'database'>,
  actor: Actor,
  idOrName: string,
): Promise<ShownUser> {
  requirePermission(actor, INSTANCE, 'MANAGE_USERS');
  const user = await findManagedUser(database.reader, idOrName);
  return {
    ...user,
    lastUsedAtMs: await selectLastUse(database.reader, user.id),
    answer: await findAnswer(database.reader, user.id),
  };
}
