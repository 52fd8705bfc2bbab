import { NotFoundError, type Id, type OwnCommunity } from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import type { Reader } from '../../../ports/database/database.ts';
import { accessOf, readCommunity, selectMember } from '../structure/structure.ts';
import { describeOwnCommunity } from './describe-own-community.ts';

/** A community of the caller, as it is in a transaction. Throws NotFoundError if they are not a member. */
export async function findOwnCommunity(
  db: Reader,
  ctx: Pick<Context, 'clock'>,
  { actor, id }: { readonly actor: Pick<Account, 'kind' | 'user_id'>; readonly id: Id },
): Promise<OwnCommunity> {
  const community = await readCommunity(db, id);
  const member = await selectMember(db, id, actor.user_id);
  if (community === undefined || member === undefined) throw new NotFoundError();
  const access = accessOf(ctx, actor, { community, member });
  const nowMs = ctx.clock.unixMs();
  return describeOwnCommunity({ ...access, member }, { lastIds: new Map(), nowMs });
}
