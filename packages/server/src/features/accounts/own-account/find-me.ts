import type { Id, OwnUser } from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { findCaller } from '../users/users.ts';

/** Finds what a feature adds to what people see of themselves, such as what their uploads take. */
export type OwnProfilePart = (ctx: Context, userId: Id) => Promise<Partial<OwnUser>>;

export interface HasOwnProfileParts {
  readonly ownProfileParts: readonly OwnProfilePart[];
}

/** As {@link findCaller}, with what other features add. */
export async function findMe(ctx: Context & HasOwnProfileParts, actor: Account): Promise<OwnUser> {
  const user = await findCaller(ctx, actor);
  const parts = await Promise.all(ctx.ownProfileParts.map((part) => part(ctx, actor.user_id)));
  return Object.assign(user, ...parts);
}
