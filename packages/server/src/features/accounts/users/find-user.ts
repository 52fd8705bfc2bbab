import {
  NotFoundError,
  UnauthorizedError,
  type Id,
  type OwnUser,
  type User,
} from '@hearth/protocol';
import { ownUserSchema } from '@hearth/protocol/schemas';
import type { Account, Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import type { SignInPart } from '../../../gateway-host.ts';
import { describeOwnUser, describeUser } from './describe-user.ts';
import { requireReader } from './require-reader.ts';
import { selectUser, selectUserBy } from './store.ts';
import type { UsersTable } from './tables.ts';

/** A person by their id, also one whose account was deleted. Throws NotFoundError. */
export async function findUser(
  ctx: Context,
  actor: Actor,
  { id }: { readonly id: Id },
): Promise<User> {
  await requireReader(ctx, actor);
  return shown(await selectUser(ctx.database.reader, id));
}

/** A person by their name, in any case. Throws NotFoundError. */
export async function findUserByName(
  ctx: Context,
  actor: Actor,
  { username }: { readonly username: string },
): Promise<User> {
  await requireReader(ctx, actor);
  return shown(await selectUserBy(ctx.database.reader, { username: username.toLowerCase() }));
}

/** The caller, with what only they see. Throws UnauthorizedError if their account has been deleted meanwhile. */
export async function findCaller(ctx: Context, { user_id: id }: Account): Promise<OwnUser> {
  const user = await selectUser(ctx.database.reader, id);
  if (user?.state !== 'active') throw new UnauthorizedError('token_ended');
  return describeOwnUser(ctx, user);
}

/** The user who signs in, in READY. */
export const userPart: SignInPart<Context, 'user'> = {
  key: 'user',
  schema: ownUserSchema,
  read: findCaller,
};

// Somebody whose account was never approved is not a person of the instance.
function shown(user: UsersTable | undefined): User {
  if (user === undefined || user.state === 'pending') throw new NotFoundError();
  return describeUser(user);
}
