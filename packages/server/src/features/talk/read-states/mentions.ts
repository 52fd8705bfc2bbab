import { type Id, compareIds } from '@hearth/protocol';
import { MOST_COUNTED_MENTIONS } from '@hearth/protocol/schemas';
import type { Context } from '../../../context.ts';
import type { StoredMember } from '../../communities/structure/structure.ts';
import { findMentions } from '../mentions/mentions.ts';
import { subjectsOf } from '../places/places.ts';

/** The messages of some channels that mention a member, by their channels; some come more than once. */
export type MentionsOf = (
  member: StoredMember,
  isIn: (channelId: Id) => boolean,
) => ReadonlyMap<Id, readonly Id[]>;

/** Reads which messages mention members. One query reads those of all of them. */
export async function readMentions(
  { database }: Pick<Context, 'database'>,
  members: readonly StoredMember[],
): Promise<MentionsOf> {
  const all = await findMentions(database.reader, members.flatMap(subjectsOf));
  const bySubject = Map.groupBy(all, ({ subjectId }) => subjectId);
  return (member, isIn) => {
    const found = new Map<Id, Id[]>();
    for (const subject of subjectsOf(member)) {
      for (const { channelId, id } of bySubject.get(subject) ?? []) {
        if (isIn(channelId)) found.getOrInsertComputed(channelId, () => []).push(id);
      }
    }
    return found;
  };
}

/** How many of these messages are after a mark, up to what is counted. */
export function countAfter(ids: readonly Id[], mark: Id): number {
  const unread = ids.filter((id) => compareIds(id, mark) > 0);
  return Math.min(new Set(unread).size, MOST_COUNTED_MENTIONS);
}
