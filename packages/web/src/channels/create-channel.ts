import { computed, effect, type ReadonlySignal } from '@preact/signals';
import { MOST_MESSAGE_ATTACHMENTS, parseId, webPath, type Id } from '@hearth/protocol';
import type { ChannelClient, Client, MyChannel, MyCommunity } from '@hearth/sdk';
import {
  createConversation,
  type Conversation,
  type ConversationParts,
  type Rights,
} from '../conversation/conversation.ts';
import { messageIdAt, messageUrl } from '../conversation/message-url.ts';
import { channelSource } from './channel-source.ts';
import { SeenMarks } from './seen-marks.ts';
import { ChannelTools, giveTools } from './channel-tools.ts';
import { useMessageActions } from './use-message-actions.tsx';
import type { TextAddresses } from '@hearth/sdk/communities';

/** The number of members that are offered for a beginning. */
const MOST_NAMES = 8;

/** A channel in its community. */
export interface ChannelPlace {
  /** The present slug of the community. */
  readonly slug: () => string;
  readonly id: Id;
  readonly name: string;
  /** The channel as one of the reader's own; undefined for those who are not members. */
  readonly own: ReadonlySignal<MyChannel | undefined>;
  /** Called if the reader does not see it any more, and it does not come back within seconds. */
  readonly onClosed: () => void;
}

/** The conversation of a channel. Its newest messages are not kept in the browser, because others decide who may see them. */
export function createChannel(place: ChannelPlace, parts: ConversationParts): Conversation {
  const { client, owner } = parts;
  const { slug, id, own } = place;
  const channel = client.channel(id);
  const marks = new SeenMarks(channel, own);
  const uploaded = new Set<string>();
  const addressOf = (message: Id) =>
    webPath('channelMessage', { slug: slug(), channel_id: id, message_id: message });
  const addresses: TextAddresses = {
    messageUrl: (message) => messageUrl({ addressOf }, message),
    messageIdAt: (url) => messageIdAt({ addressOf }, url),
    fileUrl: ({ id: file, key }) => client.files.url(file, { key }),
    isUploaded: (file) => uploaded.has(file),
    keyedFileAt: (url) =>
      client.files.keyOf(url) === undefined ? undefined : parseId(client.files.idOf(url) ?? ''),
  };
  const tools = new ChannelTools({ ...parts, owner, channel, own });
  const conversation = createConversation(
    {
      source: channelSource(client, channel, addresses),
      name: place.name,
      // What somebody writes or has read here is nothing to others who use this browser.
      storageKey: [client.info.oprish_url, id, owner ?? ''].join(' ').trim(),
      rights: computed(() => rightsOf(own.value)),
      readUpTo: channel.readState.last_read_id,
      mostFiles: MOST_MESSAGE_ATTACHMENTS,
      onUploaded: (file) => void uploaded.add(file.id),
      onSeen: (message) => marks.mark(message),
      findNames: (query) => findNames(client, own.peek(), query),
      addressOf,
      postPath: (post) => webPath('untitledPost', { slug: slug(), post_id: post }),
      ...tools.identity,
      useMoreActions: () => useMessageActions(tools),
    },
    { ...parts, keptStorage: undefined },
  );
  const stops = [
    reportTyping(conversation, channel),
    channel.on('closed', place.onClosed),
    tools.follow(conversation),
    marks.follow(conversation, parts),
  ];
  const whole = {
    ...conversation,
    [Symbol.dispose]() {
      for (const stop of stops) stop();
      conversation[Symbol.dispose]();
    },
  };
  return giveTools(whole, tools);
}

/** A channel of the reader's own communities. */
export function ownChannel(
  communities: readonly MyCommunity[] | undefined,
  id: Id,
): MyChannel | undefined {
  return communities?.flatMap(({ channels }) => channels).find((each) => each.id === id);
}

/** Returns a channel; while it moves from one stream to another, as it was. */
export function lastingChannel(
  communities: ReadonlySignal<readonly MyCommunity[] | undefined>,
  id: Id,
): ReadonlySignal<MyChannel | undefined> {
  let last: MyChannel | undefined;
  return computed(() => {
    const { value } = communities;
    const found = ownChannel(value, id);
    last = found ?? last;
    return value?.some((community) => community.id === last?.community_id) ? last : undefined;
  });
}

function rightsOf(own: MyChannel | undefined): Rights {
  const may = own?.permissions;
  const mayManage = may?.has('MANAGE_CONTENT') === true;
  const mayPost = own?.kind === 'messages' || (own?.kind === 'announcements' && mayManage);
  return {
    post: mayPost && may?.has('SEND_MESSAGES') === true,
    react: may?.has('REACT') === true,
    attach: may?.has('ATTACH_FILES') === true,
    moderate: mayManage,
  };
}

/** Finds who and what can be mentioned in a channel and begins like that. */
async function findNames(
  client: Client,
  own: MyChannel | undefined,
  query: string,
): Promise<readonly string[]> {
  if (own === undefined) return [];
  const id = own.community_id;
  const mayMentionAll = own.permissions.has('MENTION_ALL');
  const roles = client.communities.get(id)?.roles ?? [];
  const named = roles.filter((role) => role.id !== id && (mayMentionAll || role.mentionable));
  const { entries } = await client.communities.members.list(id, { q: query, limit: MOST_NAMES });
  return [
    ...entries.map(({ user }) => user.username),
    ...named.map(({ name }) => name.replaceAll(/\s+/gu, '-')),
    ...(mayMentionAll ? ['all'] : []),
  ];
}

/** Shows others that the reader writes, while the text changes; returns a function that stops it. */
function reportTyping({ draft }: Conversation, channel: ChannelClient): () => void {
  let known = draft.text.peek();
  return effect(() => {
    const { value } = draft.text;
    if (value === known) return;
    known = value;
    if (value.trim() !== '') void channel.typing().catch(() => {});
  });
}
