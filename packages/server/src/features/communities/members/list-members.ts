import { NotFoundError, type Id, type Member } from '@hearth/protocol';
import { idSchema, storableText } from '@hearth/protocol/schemas';
import { z } from 'zod';
import type { Actor } from '../../../actor.ts';
import { pageOf, readCursor, type Page } from '../../../page.ts';
import type { KeepsUsers } from '../../accounts/users/users.ts';
import { accessTo, selectMembers, type AccessContext } from '../structure/structure.ts';
import { describeMember } from './describe-member.ts';
import { foldName } from './folded-names.ts';
import { selectPlaces } from './names-store.ts';

const placeSchema = z.object({ name: storableText(0, 256), user_id: idSchema });

export interface MemberListing {
  readonly community_id: Id;
  /** The beginning of a name of theirs, in any case. */
  readonly q?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/**
 * Members of a community that the caller sees, by the names that are shown. Throws NotFoundError if the caller may not know
 * that it exists, and ValidationError for `cursor`.
 */
export async function listMembers(
  ctx: AccessContext & KeepsUsers,
  actor: Actor,
  { community_id: id, q = '', cursor, limit }: MemberListing,
): Promise<Page<Member>> {
  await accessTo(ctx, actor, id);
  const after = readCursor(placeSchema, cursor);
  const { reader } = ctx.database;
  const wanted = { prefix: foldName(q), after, limit: limit + 1 };
  const page = pageOf(await selectPlaces(reader, id, wanted), limit, (place) => place);
  const ids = page.entries.map(({ user_id: userId }) => userId);
  const members = await selectMembers(reader, id, ids);
  const memberOf = new Map(members.map((member) => [member.userId, member]));
  const users = await ctx.users.all(ids);
  const nowMs = ctx.clock.unixMs();
  const entries = ids.flatMap((userId) => {
    const [member, user] = [memberOf.get(userId), users.get(userId)];
    // Somebody may have left meanwhile.
    return member === undefined || user === undefined ? [] : [describeMember(member, user, nowMs)];
  });
  return { ...page, entries };
}

/** A member of a community. Throws NotFoundError if there is none, or if the caller may not know that it exists. */
export async function findMember(
  ctx: AccessContext & KeepsUsers,
  actor: Actor,
  { community_id: id, user_id: userId }: { readonly community_id: Id; readonly user_id: Id },
): Promise<Member> {
  await accessTo(ctx, actor, id);
  const member = await ctx.members.get(id, userId);
  if (member === undefined) throw new NotFoundError();
  return describeMember(member, await ctx.users.get(userId), ctx.clock.unixMs());
}
