import type { Client, Id, ReadMark } from '@hearth/sdk';
import { channelPlaces, placeName, type ChannelPlace } from './find-channel.ts';

/** Unread places of a chat: the lobby counts only while a channel is shown. */
export interface Unread {
  /** The number of messages that came to the lobby. */
  readonly lobby: number;
  /** The channel that is shown; undefined for the lobby. */
  readonly hereId: Id | undefined;
}

/** Returns what is unread elsewhere, for a prompt: ` +2 @1` are two places, and one mention of the user. */
export function unreadElsewhere(client: Client, { lobby, hereId }: Unread): string {
  const others = channelPlaces(client.communities.all()).filter(
    ({ channel }) => channel.id !== hereId,
  );
  const marks = others.map((place) => markOf(client, place));
  const places = marks.filter(({ isNews }) => isNews).length + (lobby > 0 ? 1 : 0);
  const mentions = marks.reduce((sum, { mark }) => sum + mark.mentions, 0);
  return `${places > 0 ? ` +${places}` : ''}${mentions > 0 ? ` @${mentions}` : ''}`;
}

/** The places of a chat, one a line, with what is unread there. */
export function listPlaces(client: Client, { lobby, hereId }: Unread): string {
  const inLobby = line('lobby', hereId === undefined, lobby > 0 ? [`${lobby} new`] : []);
  const channels = channelPlaces(client.communities.all()).map((place) => {
    const { mark, isMuted } = markOf(client, place);
    const notes = [
      ...(mark.isUnread ? ['unread'] : []),
      ...(mark.mentions > 0 ? [`@${mark.mentions}`] : []),
      ...(isMuted ? ['muted'] : []),
    ];
    return line(placeName(place), place.channel.id === hereId, notes);
  });
  return [inLobby, ...channels].join('\n');
}

/** Returns whether a mention of the user in a channel is announced elsewhere. */
export function isAnnounced(client: Client, { community, channel }: ChannelPlace): boolean {
  const { notificationSetting } = client.channel(channel.id);
  const level =
    notificationSetting?.level ?? client.communities.notificationSetting(community.id)?.level;
  return level !== 'none' && !client.communities.isMuted(channel.id);
}

function line(name: string, isHere: boolean, notes: readonly string[]): string {
  return `${isHere ? '>' : ' '} ${[name, ...notes].join(' ')}`;
}

function markOf(
  client: Client,
  { channel }: ChannelPlace,
): { readonly mark: ReadMark; readonly isMuted: boolean; readonly isNews: boolean } {
  const { readState: mark } = client.channel(channel.id);
  const isMuted = client.communities.isMuted(channel.id);
  return { mark, isMuted, isNews: mark.isUnread && !isMuted };
}
