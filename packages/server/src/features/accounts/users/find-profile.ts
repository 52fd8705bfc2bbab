import type { Id, User } from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { findUser, findUserByName } from './find-user.ts';

/** Finds what a feature adds to what everyone sees of a person, such as points. */
export type ProfilePart = (ctx: Context, userId: Id) => Promise<Partial<User>>;

export interface HasProfileParts {
  readonly profileParts: readonly ProfilePart[];
}

type ProfileContext = Context & HasProfileParts;

/** A person by their id, with all that everyone sees of them. Throws NotFoundError. */
export async function findProfile(
  ctx: ProfileContext,
  actor: Actor,
  input: { readonly id: Id },
): Promise<User> {
  return await withParts(ctx, await findUser(ctx, actor, input));
}

/** A person by their name, in any case, with all that everyone sees of them. Throws NotFoundError. */
export async function findProfileByName(
  ctx: ProfileContext,
  actor: Actor,
  input: { readonly username: string },
): Promise<User> {
  return await withParts(ctx, await findUserByName(ctx, actor, input));
}

async function withParts(ctx: ProfileContext, user: User): Promise<User> {
  if (user.deleted === true) return user;
  const parts = await Promise.all(ctx.profileParts.map((part) => part(ctx, user.id)));
  return Object.assign({ ...user }, ...parts);
}
