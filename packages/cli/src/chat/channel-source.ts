import {
  HearthError,
  parseId,
  RateLimitedError,
  type ChannelClient,
  type ChannelMessage,
  type ChannelMessageReceived,
  type Client,
  type Id,
  type LobbyMessage,
} from '@hearth/sdk';
import { sendText, shownMessage, type TextAddresses } from '@hearth/sdk/communities';
import type { ChannelPlace } from './find-channel.ts';
import type { MessageSource, ShownMessage, Subscriptions } from './message-source.ts';

/** The user reads a public community, but is not a member of it. */
export class NotMemberError extends HearthError {}

/** Returns the names of messages and files in texts of a terminal. */
export function textAddresses({ files }: Pick<Client, 'files'>): TextAddresses {
  return {
    messageUrl: () => undefined,
    messageIdAt: () => undefined,
    fileUrl: ({ id, key }) => files.url(id, { key }),
    keyedFileAt: (url) =>
      files.keyOf(url) === undefined ? undefined : parseId(files.idOf(url) ?? ''),
  };
}

/** A channel of a community. Its messages have the form of the lobby's. */
export function channelSource(client: Client, place: ChannelPlace): MessageSource {
  const { id: communityId, slug } = place.community;
  const channel = client.channel(place.channel.id);
  let marked: Promise<unknown> = Promise.resolve();
  const addresses = textAddresses(client);
  const isMember = () => client.communities.get(communityId) !== undefined;
  const requireMember = () => {
    if (!isMember()) throw new NotMemberError(`only members of ${slug} can write there`);
  };
  const shown = (message: ChannelMessage) => shownIn(message, addresses);
  const subscriptions = subscriptionsOf(client, { channel, communityId, shown });
  return {
    place,
    hasHistory: true,
    get isReadOnly() {
      return !isMember();
    },
    open() {
      // Others see messages of a public community only while they watch it.
      const communities = isMember() ? [] : [communityId];
      client.watch({ channels: [channel.id], communities });
      return channel.open();
    },
    on: (name, listener) => subscriptions[name](listener),
    list: async (query) => (await channel.history(query)).map(shown),
    markRead(id) {
      if (!isMember()) return;
      // A mark that is lost only means that something is unread that was seen.
      marked = Promise.all([marked, channel.markRead(id).catch(() => undefined)]);
    },
    marked: () => marked,
    typing() {
      if (isMember()) void channel.typing().catch(() => undefined);
    },
    replyTo: ({ id }, content) => ({ content, replyTo: id }),
    async send({ content, nonce, replyTo }, options) {
      requireMember();
      const text = { content, nonce, replyTo, addresses };
      return await sendText(channel, text, options).catch(reportSlowMode);
    },
    changeMessage: ({ id, content }) => channel.change(id, content),
    deleteMessage: (id) => channel.remove(id),
    addReaction: ({ id, emoji }) => channel.react(id, emoji),
    removeReaction: ({ id, emoji }) => channel.unreact(id, emoji),
  };
}

interface Reporting {
  readonly channel: ChannelClient;
  readonly communityId: Id;
  readonly shown: (message: ChannelMessage) => LobbyMessage & ShownMessage;
}

function subscriptionsOf(
  client: Client,
  { channel, communityId, shown }: Reporting,
): Subscriptions {
  return {
    message: (listener) => channel.on('message', (message) => listener(shown(message))),
    messageUpdate: (listener) => channel.on('messageUpdate', (changed) => listener(shown(changed))),
    messageDelete: (listener) => channel.on('messageDelete', listener),
    reaction: (listener) => channel.on('reaction', listener),
    gap: (listener) => channel.on('gap', listener),
    closed: (listener) => {
      const stops = [
        channel.on('closed', listener),
        // The channel itself is closed later, because it might only move.
        onRemoval(client, communityId, listener),
      ];
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
}

/** Reports that a community is not the user's any more: once, also if the reason comes later. */
export function onRemoval(
  client: Pick<Client, 'on'>,
  id: Id,
  listener: (removed: { readonly id: Id }) => void,
): () => void {
  let isGone = false;
  const stops = [
    client.on('community', (community) => {
      if (community.id === id) isGone = false;
    }),
    client.on('communityRemoved', (removed) => {
      if (removed.id !== id || removed.reason === 'signed_out' || isGone) return;
      isGone = true;
      listener(removed);
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

/** A message of a channel in the form of the lobby's. */
export function shownIn(
  { isOwn: _isOwn, isRecovered, ...given }: ChannelMessageReceived & { readonly isOwn?: boolean },
  addresses: TextAddresses,
): LobbyMessage & ShownMessage {
  const { nonce } = given;
  return {
    ...shownMessage({ ...given, content: withPost(given) }, addresses),
    ...(nonce !== undefined && { nonce }),
    ...(isRecovered && { isRecovered }),
    given,
  };
}

/** Returns what a message says, with the post that it shows or has become, as `post show` takes it. */
function withPost({ content, kind, post_id: post }: ChannelMessage): string {
  if (kind === 'post') {
    return post === undefined
      ? 'New post that is not shown here'
      : `New post: ${content} (post ${post})`;
  }
  return post === undefined ? content : `${content}\n→ post ${post}`;
}

/** The client waits for all other limits. */
export function reportSlowMode(error: unknown): never {
  if (!(error instanceof RateLimitedError) || error.code === 'busy') throw error;
  const seconds = Math.ceil(error.retryAfterMs / 1000);
  throw new RateLimitedError(`slow mode: try again in ${seconds} s`, error.retryAfterMs);
}
