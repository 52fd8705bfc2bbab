import { compareIds, firstMark, type Id, type ReadState } from '@hearth/protocol';
import { MOST_COUNTED_MENTIONS, readStateListSchema } from '@hearth/protocol/schemas';
import type { Account } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import type { MemberPart } from '../../communities/audiences/audiences.ts';
import type { KeepsCommunities } from '../../communities/structure/structure.ts';
import type { Reader } from '../../../ports/database/database.ts';
import { requireReader } from '../../accounts/users/users.ts';
import { findMentions } from '../mentions/mentions.ts';
import { ownPlaces, type HasPlaces, type OwnPlaces, type PeopleRead } from '../places/places.ts';
import { selectReadStates } from './store.ts';

/** The context that it takes to list read states. */
type ListContext = Context & HasPlaces & KeepsCommunities;

/**
 * Reads how far people have read their places: those that they have opened, and those with mentions. One query reads the marks of
 * all of them, and another one the mentions.
 */
export async function findReadStates(
  ctx: ListContext,
  people: PeopleRead,
): Promise<(userId: Id) => readonly ReadState[]> {
  const { reader } = ctx.database;
  const [{ own, mentions }, stored] = await Promise.all([
    readMentions(ctx, people),
    selectReadStates(reader, people.userIds),
  ]);
  const bySubject = Map.groupBy(mentions, ({ subjectId }) => subjectId);
  const byUser = Map.groupBy(stored, ({ userId }) => userId);
  return (userId) => {
    const places = own.get(userId);
    if (places === undefined) return [];
    const marks = new Map(byUser.get(userId)?.map((mark) => [mark.channelId, mark]));
    const mentioned = mentionsIn(places, bySubject);
    return [...new Set([...marks.keys(), ...mentioned.keys()])].flatMap((channelId) => {
      const { communityId, lastReadId: opened } = marks.get(channelId) ?? {};
      const known = places.readerIn({ channelId, communityId });
      if (known === undefined) return [];
      const mark = opened ?? firstMark(known.sinceMs);
      const count = countAfter(mentioned.get(channelId) ?? [], mark);
      if (opened === undefined && count === 0) return [];
      return [{ channel_id: channelId, last_read_id: mark, mentions: count }];
    });
  };
}

/** Lists how far the caller has read the channels that they have opened, and those in which they are mentioned. */
export async function listReadStates(
  ctx: ListContext,
  actor: Account,
): Promise<readonly ReadState[]> {
  await requireReader(ctx, actor);
  return (await findReadStates(ctx, { userIds: [actor.user_id] }))(actor.user_id);
}

/** Reads how far a user has read the channels that they have opened, by the ids of the channels. */
export async function findMarks(db: Reader, userId: Id): Promise<ReadonlyMap<Id, Id>> {
  const stored = await selectReadStates(db, [userId]);
  return new Map(stored.map(({ channelId, lastReadId }) => [channelId, lastReadId]));
}

/** The places of people, and all messages that mention them there. */
async function readMentions(ctx: ListContext, people: PeopleRead) {
  const placesOf = await ownPlaces(ctx, people);
  const own = new Map(people.userIds.map((id) => [id, placesOf(id)]));
  const subjects = own.values().flatMap((places) => places.subjects);
  return { own, mentions: await findMentions(ctx.database.reader, subjects) };
}

/** The messages that mention somebody, by their places; some come more than once. */
function mentionsIn(
  places: OwnPlaces,
  bySubject: ReadonlyMap<Id, readonly { readonly channelId: Id; readonly id: Id }[]>,
): ReadonlyMap<Id, readonly Id[]> {
  const found = new Map<Id, Id[]>();
  for (const subject of places.subjects) {
    const inPlaces = Map.groupBy(bySubject.get(subject) ?? [], ({ channelId }) => channelId);
    for (const [channelId, messages] of inPlaces) {
      if (places.readerIn({ channelId })?.subjects.includes(subject) !== true) continue;
      found.getOrInsertComputed(channelId, () => []).push(...messages.map(({ id }) => id));
    }
  }
  return found;
}

/** Counts these messages that are after a mark, up to what is counted. */
function countAfter(ids: readonly Id[], mark: Id): number {
  const unread = ids.filter((id) => compareIds(id, mark) > 0);
  return Math.min(new Set(unread).size, MOST_COUNTED_MENTIONS);
}

/** The part of READY about how far users have read. */
export const readStatesPart: MemberPart<ListContext, 'read_states'> = {
  key: 'read_states',
  schema: readStateListSchema,
  async read(ctx, { users, members }) {
    const statesOf = await findReadStates(ctx, { userIds: users, members });
    return (user) => [...statesOf(user)];
  },
};
