import type { Id, NotificationLevel, NotificationSetting } from '@hearth/protocol';
import type { ReadMark } from './community-source.ts';
import type { MyChannel, MyCommunity } from '@hearth/sdk';

/** The news for the reader in a channel or community. */
export type Marks = ReadMark;

/** The facts from which it is computed. */
export interface KnownMarks {
  readonly marks: ReadonlyMap<Id, ReadMark>;
  /** The choices for communities and channels, by their ids. */
  readonly settings: ReadonlyMap<Id, NotificationSetting>;
  readonly nowMs: number;
}

/** Nothing is new. */
export const NO_MARKS: Marks = { isUnread: false, mentions: 0 };

/** Returns what is new in a channel. One that is muted shows only mentions. */
export function channelMarks(
  community: Pick<MyCommunity, 'id'>,
  channel: Pick<MyChannel, 'id'>,
  known: KnownMarks,
): Marks {
  const { isUnread, mentions } = known.marks.get(channel.id) ?? NO_MARKS;
  return { isUnread: isUnread && !isMuted(community, channel, known), mentions };
}

/** Returns what is new in the channels of a community together. */
export function communityMarks(
  community: Pick<MyCommunity, 'id'> & { readonly channels: readonly Pick<MyChannel, 'id'>[] },
  known: KnownMarks,
): Marks {
  return community.channels
    .map((channel) => channelMarks(community, channel, known))
    .reduce(
      (sum, { isUnread, mentions }) => ({
        isUnread: sum.isUnread || isUnread,
        mentions: sum.mentions + mentions,
      }),
      NO_MARKS,
    );
}

/** Returns whether the reader has muted a channel, or the whole community (RD19). */
export function isMuted(
  { id }: Pick<MyCommunity, 'id'>,
  channel: Pick<MyChannel, 'id'> | undefined,
  known: Pick<KnownMarks, 'settings' | 'nowMs'>,
): boolean {
  return isPlaceMuted(id, known) || (channel !== undefined && isPlaceMuted(channel.id, known));
}

/** Returns whether the reader has muted just this community or channel. */
export function isPlaceMuted(
  id: Id,
  { settings, nowMs }: Pick<KnownMarks, 'settings' | 'nowMs'>,
): boolean {
  return (settings.get(id)?.muted_until ?? 0) > nowMs;
}

/**
 * Returns whether the reader wants to be notified of a message: as they have chosen for the channel, or else for the
 * community.
 */
export function isNotified(
  community: Pick<MyCommunity, 'id'>,
  channel: Pick<MyChannel, 'id'>,
  { isMention, ...known }: Pick<KnownMarks, 'settings' | 'nowMs'> & { readonly isMention: boolean },
): boolean {
  if (isMuted(community, channel, known)) return false;
  const { settings } = known;
  const level: NotificationLevel =
    settings.get(channel.id)?.level ?? settings.get(community.id)?.level ?? 'mentions';
  return level === 'all' || (level === 'mentions' && isMention);
}

/** Marks without the mentions that were read elsewhere, as counted by the ids of channels. */
export function withoutRead(
  marks: ReadonlyMap<Id, Marks>,
  read: ReadonlyMap<Id, number> = new Map(),
): Map<Id, Marks> {
  const left = new Map(marks);
  for (const [id, count] of read) {
    const mark = marks.get(id);
    if (mark !== undefined) left.set(id, { ...mark, mentions: Math.max(0, mark.mentions - count) });
  }
  return left;
}
