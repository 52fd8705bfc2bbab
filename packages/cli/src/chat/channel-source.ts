import {
  parseId,
  RateLimitedError,
  type ChannelMessage,
  type ChannelMessageReceived,
  type Client,
  type LobbyMessage,
} from '@hearth/sdk';
import { sendText, shownMessage, type TextAddresses } from '@hearth/sdk/communities';
import type { ChannelPlace } from './find-channel.ts';
import type { MessageSource, ShownMessage, Subscriptions } from './message-source.ts';

/** A channel of a community. Its messages have the form of the lobby's. */
export function channelSource(client: Client, place: ChannelPlace): MessageSource {
  const { files } = client;
  const channel = client.channel(place.channel.id);
  let marked: Promise<unknown> = Promise.resolve();
  const addresses: TextAddresses = {
    messageUrl: () => undefined,
    messageIdAt: () => undefined,
    fileUrl: ({ id, key }) => files.url(id, { key }),
    keyedFileAt: (url) =>
      files.keyOf(url) === undefined ? undefined : parseId(files.idOf(url) ?? ''),
  };
  const shown = (message: ChannelMessage) => shownIn(message, addresses);
  const subscriptions: Subscriptions = {
    message: (listener) => channel.on('message', (message) => listener(shown(message))),
    messageUpdate: (listener) => channel.on('messageUpdate', (changed) => listener(shown(changed))),
    messageDelete: (listener) => channel.on('messageDelete', listener),
    reaction: (listener) => channel.on('reaction', listener),
    gap: (listener) => channel.on('gap', listener),
    closed: (listener) => {
      const stops = [
        channel.on('closed', listener),
        // The channel itself is closed later, because it might only move.
        client.on('communityRemoved', (removed) => {
          const isThis = removed.id === place.community.id;
          if (isThis && removed.reason !== 'signed_out') listener(removed);
        }),
      ];
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
  return {
    place,
    hasHistory: true,
    open: () => channel.open(),
    on: (name, listener) => subscriptions[name](listener),
    list: async (query) => (await channel.history(query)).map(shown),
    markRead(id) {
      // A mark that is lost only means that something is unread that was seen.
      marked = Promise.all([marked, channel.markRead(id).catch(() => undefined)]);
    },
    marked: () => marked,
    send: ({ content, nonce }, options) =>
      sendText(channel, { content, nonce, addresses }, options).catch(reportSlowMode),
    changeMessage: ({ id, content }) => channel.change(id, content),
    deleteMessage: (id) => channel.remove(id),
    addReaction: ({ id, emoji }) => channel.react(id, emoji),
    removeReaction: ({ id, emoji }) => channel.unreact(id, emoji),
  };
}

function shownIn(
  { isOwn: _isOwn, isRecovered, ...given }: ChannelMessageReceived & { readonly isOwn?: boolean },
  addresses: TextAddresses,
): LobbyMessage & ShownMessage {
  const { nonce } = given;
  return {
    ...shownMessage(given, addresses),
    ...(nonce !== undefined && { nonce }),
    ...(isRecovered && { isRecovered }),
    given,
  };
}

/** The client waits for all other limits. */
function reportSlowMode(error: unknown): never {
  if (!(error instanceof RateLimitedError)) throw error;
  const seconds = Math.ceil(error.retryAfterMs / 1000);
  throw new RateLimitedError(`slow mode: try again in ${seconds} s`, error.retryAfterMs);
}
