import type { OwnUser } from '@hearth/protocol';
import type { User } from '../../actor.ts';
import type { Context } from '../../context.ts';
import { describeUserStorage } from '../uploads/describe-user-storage.ts';
import { findCaller } from '../users/find-user.ts';

/** As {@link findCaller}, with what their uploads take. */
export async function findMe(ctx: Context, actor: User): Promise<OwnUser> {
  const user = await findCaller(ctx, actor);
  return { ...user, storage: await describeUserStorage(ctx, actor.user_id) };
}
