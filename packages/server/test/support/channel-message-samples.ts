import type { Id } from '@hearth/protocol';
import { channelMessageSchema, channelSchema, ownCommunitySchema } from '@hearth/protocol/schemas';
import type { TestInstance } from '@hearth/testing/instances/test-instance';
import type { Sample } from './samples.ts';

/** A channel of Ada with messages of hers, and one that holds none. */
export interface TalkPlaces {
  readonly channel_id: Id;
  readonly news: Id;
  readonly category: Id;
  /** There to be read and changed, and there to be deleted. */
  readonly messages: readonly Id[];
}

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
  const post = async (content: string) =>
    channelMessageSchema.parse(await ask(`/channels/${first.id}/messages`, { content })).id;
  return {
    channel_id: first.id,
    news: await channel('announcements'),
    category: await channel('category'),
    messages: [await post('Good evening'), await post('Good night')],
  };
}

/** Requests for the messages of channels, by Ada and by somebody who is no member. */
export function channelMessageSamples({
  channel_id,
  category,
  messages,
}: TalkPlaces): Readonly<Record<string, readonly Sample[]>> {
  const [id = '', deleted = ''] = messages;
  const path = { channel_id };
  const nowhere = { channel_id: '1' };
  const ofMessage = { channel_id, id };
  const ofNone = { channel_id, id: '1' };
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
  };
}
