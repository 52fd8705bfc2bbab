import {
  sightOf,
  ConflictError,
  ForbiddenError,
  moderatorStream,
  NotFoundError,
  UnauthorizedError,
  type Id,
  type JoinRequest,
  type JoinRequestInput,
} from '@hearth/protocol';
import { MOST_JOIN_REQUESTS, MOST_OWN_REQUESTS } from '@hearth/protocol/schemas';
import { tooMany } from '../../../too-many.ts';
import type { Account } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import type { Transaction } from '../../../ports/database/database.ts';
import {
  accessTo,
  lockCommunity,
  selectMember,
  requireNoBan,
  sighted,
  type AccessContext,
  type MemberPair,
} from '../structure/structure.ts';
import { requireEntry } from '../../accounts/moderation/moderation.ts';
import { holdActiveUser, requireReader, type KeepsUsers } from '../../accounts/users/users.ts';
import { describeRequest } from './list-requests.ts';
import { dropRequest } from './drop-request.ts';
import { countRequests, selectRequest, upsertRequest } from './store.ts';

/**
 * Asks to become a member of a community, or changes what the caller says to its moderators. Throws NotFoundError if they may not know that it exists,
 * ForbiddenError if it takes no requests or if they are banned, and ConflictError if they are a member, if
 * everyone may join, or for one request too many.
 */
export async function askToJoin(
  ctx: AccessContext & KeepsUsers,
  actor: Account,
  { community_id: communityId, text = '' }: JoinRequestInput & { readonly community_id: Id },
): Promise<JoinRequest> {
  await requireEntry(ctx, actor);
  await accessTo(ctx, actor, communityId);
  const { user_id: userId } = actor;
  const nowMs = ctx.clock.unixMs();
  const users = await ctx.users.all([userId]);
  const writing = { subjects: [communityId, userId], caller: userId } as const;
  return await ctx.database.writeAlone(writing, async (tx) => {
    const community = await lockCommunity(tx, communityId);
    if (community === undefined) throw new NotFoundError();
    const member = await selectMember(tx.sql, communityId, userId);
    if (member !== undefined)
      throw new ConflictError({ code: 'wrong_state', field_name: 'member' });
    if (!sightOf(sighted(community), undefined).reads) throw new NotFoundError();
    await requireNoBan(tx.sql, { communityId, userId, nowMs });
    if (community.join === 'open')
      throw new ConflictError({ code: 'wrong_state', field_name: 'join' });
    if (community.join === 'invite') throw new ForbiddenError({ code: 'join_closed' });
    const before = await selectRequest(tx.sql, { communityId, userId });
    if (before === undefined) await requireRoom(tx, { communityId, userId });
    const request = {
      community_id: communityId,
      user_id: userId,
      content: text,
      created_at_ms: before?.created_at_ms ?? nowMs,
    };
    const shown = describeRequest(request, users);
    if (before?.content === text) return shown;
    await upsertRequest(tx.sql, request);
    const stream = moderatorStream(communityId);
    const event = { op: 'JOIN_REQUEST_CREATE', d: shown } as const;
    await tx.emit({ stream, event }, { subject: stream });
    return shown;
  });
}

/** The request of the caller. Throws NotFoundError if there is none. */
export async function findOwnRequest(
  ctx: AccessContext & KeepsUsers,
  actor: Account,
  { community_id: communityId }: { readonly community_id: Id },
): Promise<JoinRequest> {
  await accessTo(ctx, actor, communityId);
  const key = { communityId, userId: actor.user_id };
  const request = await selectRequest(ctx.database.reader, key);
  if (request === undefined) throw new NotFoundError();
  return describeRequest(request, await ctx.users.all([actor.user_id]));
}

/** Takes back the caller's request, also if they do not see the community any more. Throws NotFoundError if there is none. */
export async function withdrawRequest(
  ctx: Context,
  actor: Account,
  { community_id: communityId }: { readonly community_id: Id },
): Promise<Record<never, never>> {
  await requireReader(ctx, actor);
  const { user_id: userId } = actor;
  const key = { communityId, userId };
  // First, so that nobody waits for the lock of a community that they may not see.
  const request = await selectRequest(ctx.database.reader, key);
  if (request === undefined) throw new NotFoundError();
  const writing = { subjects: [communityId], caller: userId } as const;
  await ctx.database.writeAlone(writing, async (tx) => {
    await lockCommunity(tx, communityId);
    if (!(await dropRequest(tx, key))) throw new NotFoundError();
  });
  return {};
}

/** Throws ConflictError for one request too many. */
async function requireRoom(tx: Transaction, { communityId, userId }: MemberPair): Promise<void> {
  // Two requests of one person wait for each other here, so that their number stays bounded.
  if ((await holdActiveUser(tx, userId)) === undefined) throw new UnauthorizedError('token_ended');
  if ((await countRequests(tx.sql, { userId })) >= MOST_OWN_REQUESTS) {
    throw tooMany('requests', MOST_OWN_REQUESTS);
  }
  if ((await countRequests(tx.sql, { communityId })) >= MOST_JOIN_REQUESTS) {
    throw tooMany('community', MOST_JOIN_REQUESTS);
  }
}
