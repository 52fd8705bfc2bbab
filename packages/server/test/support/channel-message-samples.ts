import { storedId } from '../../src/ports/database/stored-id.ts';
import { MOST_REACTION_KINDS, type Id } from '@hearth/protocol';
import {
  channelMessageSchema,
  channelSchema,
  MOST_PINS,
  ownCommunitySchema,
} from '@hearth/protocol/schemas';
import { asOwner } from '@hearth/testing/instances/as-owner';
import type { TestInstance } from '@hearth/testing/instances/test-instance';
import type { Sample } from './samples.ts';

/** A channel of Ada with messages of hers, and one that holds none. */
export interface TalkPlaces {
  readonly channel_id: Id;
  readonly category: Id;
  /** A channel with posts. */
  readonly posts: Id;
  /** There to be read and changed, and there to be deleted. */
  readonly messages: readonly Id[];
  /** A channel that has as many pins as it may, and a message in it. */
  readonly full: Id;
  readonly fullId: Id;
}

const FIRST_EMOJI = 0x1f600;

/** Makes the channels and messages for {@link channelMessageSamples}. */
export async function talkPlaces(at: TestInstance, token: string): Promise<TalkPlaces> {
  const ask = async (path: string, body: object): Promise<unknown> => {
    const headers = { Authorization: `Bearer ${token}` };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    return await (await fetch(at.addresses.rest + path, init)).json();
  };
  const given = { name: 'Talk', slug: 'talk', visibility: 'public' };
  const { id, channels } = ownCommunitySchema.parse(await ask('/communities', given));
  const [first] = channels;
  if (first === undefined) throw new Error('there is no first channel');
  const channel = async (kind: string) =>
    channelSchema.parse(await ask(`/communities/${id}/channels`, { kind, name: kind })).id;
  const post = async (content: string, channelId = first.id) =>
    channelMessageSchema.parse(await ask(`/channels/${channelId}/messages`, { content })).id;
  const full = await channel('announcements');
  const rows = Array.from({ length: MOST_PINS }, (_, at) => ({
    channel_id: full,
    message_id: storedId(String(at + 1)),
    pinned_at_ms: at,
  }));
  await asOwner(at, ({ database }) =>
    database.transaction(({ sql }) => sql.insertInto('channel_pins').values(rows).execute()),
  );
  return {
    full,
    fullId: await post('News', full),
    channel_id: first.id,
    category: await channel('category'),
    posts: await channel('posts'),
    messages: [await post('Good evening'), await post('Good night')],
  };
}

/** Requests for the messages of channels, by Ada and by somebody who is no member. */
export function channelMessageSamples({
  channel_id,
  category,
  messages,
  full,
  fullId,
}: TalkPlaces): Readonly<Record<string, readonly Sample[]>> {
  const [id = '', deleted = ''] = messages;
  const path = { channel_id };
  const nowhere = { channel_id: '1' };
  const ofMessage = { channel_id, id };
  const ofNone = { channel_id, id: '1' };
  // One more than a message may have.
  const kinds = Array.from({ length: MOST_REACTION_KINDS + 1 }, (_, at) =>
    encodeURIComponent(String.fromCodePoint(FIRST_EMOJI + at)),
  );
  const heart = encodeURIComponent('❤');
  const body = '{"content":"Hello"}';
  return {
    listChannelMessages: [{ path }, { path, query: '?limit=0' }, { path: nowhere }],
    findChannelMessage: [{ path: ofMessage }, { path: ofNone }],
    listMessageVersions: [
      { by: 'ada', path: ofMessage },
      { by: 'ada', path: ofMessage, query: '?before=x' },
      { by: 'bob', path: ofMessage },
      { by: 'ada', path: ofNone },
    ],
    postMessage: [
      { by: 'ada', path, body },
      { by: 'ada', path: { channel_id: category }, body },
      { by: 'ada', path, body: '{"content":""}' },
      { by: 'bob', path, body },
      { by: 'ada', path: nowhere, body },
    ],
    changeChannelMessage: [
      { by: 'ada', path: ofMessage, body },
      { by: 'ada', path: ofMessage, body: '{"content":""}' },
      { by: 'bob', path: ofMessage, body },
      { by: 'ada', path: ofNone, body },
    ],
    deleteChannelMessage: [
      { by: 'bob', path: { channel_id, id: deleted } },
      { by: 'ada', path: { channel_id, id: deleted } },
      { by: 'ada', path: { channel_id, id: deleted } },
      { by: 'ada', path: { channel_id: category, id } },
    ],
    countReach: [
      { by: 'ada', path, body },
      { by: 'ada', path: { channel_id: category }, body },
      { by: 'bob', path, body },
      { by: 'ada', path: nowhere, body },
    ],
    deleteManyMessages: [
      { by: 'ada', path, body: '{"ids":["1"]}' },
      { by: 'ada', path, body: '{"ids":[]}' },
      { by: 'bob', path, body: '{"ids":["1"]}' },
      { by: 'ada', path: nowhere, body: '{"ids":["1"]}' },
    ],
    addChannelReaction: [
      ...kinds.map((emoji): Sample => ({ by: 'ada', path: { ...ofMessage, emoji } })),
      { by: 'ada', path: { ...ofMessage, emoji: 'x' } },
      { by: 'bob', path: { ...ofMessage, emoji: heart } },
      { by: 'ada', path: { ...ofNone, emoji: heart } },
    ],
    removeChannelReaction: [
      { by: 'ada', path: { ...ofMessage, emoji: kinds[0] ?? '' } },
      { by: 'ada', path: { ...ofMessage, emoji: 'x' } },
      { by: 'ada', path: { ...ofMessage, emoji: heart } },
    ],
    listChannelReacted: [
      { path: { ...ofMessage, emoji: heart } },
      { path: { ...ofMessage, emoji: 'x' } },
      { path: { ...ofNone, emoji: heart } },
    ],
    listPins: [{ path }, { path: { channel_id: category } }, { path: nowhere }],
    pinMessage: [
      { by: 'ada', path: ofMessage },
      { by: 'ada', path: { channel_id: full, id: fullId } },
      { by: 'ada', path: { channel_id: category, id } },
      { by: 'bob', path: ofMessage },
      { by: 'ada', path: ofNone },
    ],
    unpinMessage: [
      { by: 'ada', path: ofMessage },
      { by: 'ada', path: { channel_id: category, id } },
      { by: 'bob', path: ofMessage },
      { by: 'ada', path: ofMessage },
    ],
  };
}
