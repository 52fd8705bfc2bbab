import { type ChannelClient, type Client, type Id, type ReceivedMessage } from '@hearth/sdk';
import type { ConversationSource, SourceEvents } from '../conversation/conversation-source.ts';
import { givenText, sendText, shownMessage, type TextAddresses } from '@hearth/sdk/communities';

type ChannelEventName = 'message' | 'messageUpdate' | 'messageDelete' | 'reaction' | 'gap';

type Subscribe<Name extends keyof SourceEvents> = (
  listener: (event: SourceEvents[Name]) => void,
) => () => void;

/** The messages of a channel: its history, the live ones, and how to send one. */
export function channelSource(
  client: Client,
  channel: ChannelClient,
  addresses: TextAddresses,
): ConversationSource {
  const { shown, filesOf } = showing(addresses);
  const ofChannel: { readonly [Name in ChannelEventName]: Subscribe<Name> } = {
    message: (listener) =>
      channel.on('message', (message) => {
        const { nonce, isRecovered } = message;
        const received: ReceivedMessage = shown(message);
        listener({
          ...received,
          ...(nonce !== undefined && { nonce }),
          ...(isRecovered && { isRecovered }),
        });
      }),
    messageUpdate: (listener) => channel.on('messageUpdate', (changed) => listener(shown(changed))),
    messageDelete: (listener) => channel.on('messageDelete', listener),
    reaction: (listener) => channel.on('reaction', listener),
    gap: (listener) => channel.on('gap', listener),
  };
  return {
    get isHearth() {
      return client.isHearth;
    },
    get connection() {
      return client.connection;
    },
    on(name, listener) {
      if (!isOfChannel(name)) return client.on(name, listener);
      // Guarantee: the entry of a name takes the listeners of its events.
      const subscribe = ofChannel[name] as Subscribe<typeof name>;
      return subscribe(listener);
    },
    open: (options) => channel.open(options),
    async send(message, options) {
      const written = typeof message === 'string' ? { content: message } : message;
      return shown(await sendText(channel, { ...written, addresses }, options));
    },
    async listMessages(query, options) {
      return (await channel.history(query, options)).map(shown);
    },
    async changeMessage({ id, content }, options) {
      const given = givenText(content, withFilesOnly(addresses, filesOf.get(id)));
      return shown(await channel.change(id, given.content, options));
    },
    deleteMessage: (id, options) => channel.remove(id, options),
    addReaction: ({ id, emoji }, options) => channel.react(id, emoji, options),
    removeReaction: ({ id, emoji }, options) => channel.unreact(id, emoji, options),
    listReacted: ({ id, emoji, ...query }, options) =>
      channel.listReacted(id, emoji, { ...query, ...options }),
  };
}

/** Shows messages, and remembers which files they have: only these are no part of what their authors write again. */
function showing(addresses: TextAddresses) {
  const filesOf = new Map<Id, ReadonlySet<string>>();
  const shown = (message: Parameters<typeof shownMessage>[0]) => {
    const files = new Set(message.attachments?.map(({ id }) => id));
    if (files.size > 0) filesOf.set(message.id, files);
    else filesOf.delete(message.id);
    return shownMessage(message, addresses);
  };
  return { shown, filesOf };
}

/** Returns addresses among which those of other files than these are text. */
function withFilesOnly(
  addresses: TextAddresses,
  files: ReadonlySet<string> = new Set(),
): TextAddresses {
  const keyedFileAt = (url: string) => {
    const file = addresses.keyedFileAt(url);
    return file !== undefined && files.has(file) ? file : undefined;
  };
  return { ...addresses, keyedFileAt };
}

function isOfChannel(name: keyof SourceEvents): name is ChannelEventName {
  return name !== 'connection' && name !== 'limit';
}
