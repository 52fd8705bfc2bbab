import type { Id, JoinRequest } from '@hearth/protocol';
import { idSchema } from '@hearth/protocol/schemas';
import { z } from 'zod';
import type { Account } from '../../../actor.ts';
import { pageOf, readCursor, type Page } from '../../../page.ts';
import { accessTo, type AccessContext } from '../structure/structure.ts';
import type { KeepsUsers } from '../../accounts/users/users.ts';
import { describeRequest } from './describe-request.ts';
import { requireAnswering } from './require-answering.ts';
import { selectRequests } from './store.ts';

const placeSchema = z.object({ created_at: z.int(), user_id: idSchema });

interface RequestListing {
  readonly community_id: Id;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/**
 * Those who ask to become members of a community, the oldest request first. Throws ForbiddenError without KICK or
 * MANAGE_INVITES, and ValidationError for `cursor`.
 */
export async function listRequests(
  ctx: AccessContext & KeepsUsers,
  actor: Account,
  { community_id: communityId, cursor, limit }: RequestListing,
): Promise<Page<JoinRequest>> {
  requireAnswering(await accessTo(ctx, actor, communityId), ctx.clock.unixMs());
  const after = readCursor(placeSchema, cursor);
  const { reader } = ctx.database;
  const requests = await selectRequests(reader, communityId, { after, limit: limit + 1 });
  const page = pageOf(requests, limit, ({ created_at_ms: created_at, user_id }) => {
    return { created_at, user_id };
  });
  const users = await ctx.users.all(page.entries.map(({ user_id: userId }) => userId));
  return { ...page, entries: page.entries.map((request) => describeRequest(request, users)) };
}
