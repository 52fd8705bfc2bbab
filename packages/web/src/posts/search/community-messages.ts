import type { Id } from '@hearth/protocol';
import type { ChannelClient, Client } from '@hearth/sdk';
import type { ChangeEvents } from '../../conversation/conversation-source.ts';
import type { SearchedSource } from '../../search/search.ts';

/** The number of channels that are listened to. After a loss, each of them is read again. */
const MOST_CHANNELS = 20;

type Listeners = { [Name in keyof ChangeEvents]: Set<(event: ChangeEvents[Name]) => void> };

/** The part of a client that is needed. */
export interface MessagesClient {
  readonly communities: Pick<Client['communities'], 'searchMessages'>;
  channel(id: Id): Pick<ChannelClient, 'on'>;
}

/** The messages of a community, to search in. Changes are reported in the channels where something was found last. */
export function communityMessages(client: MessagesClient, community: Id): SearchedSource {
  const listeners: Listeners = {
    messageUpdate: new Set(),
    messageDelete: new Set(),
    reaction: new Set(),
  };
  const report = <Name extends keyof ChangeEvents>(name: Name, event: ChangeEvents[Name]) => {
    for (const listener of listeners[name]) listener(event);
  };
  const follow = (id: Id) => {
    const channel = client.channel(id);
    const offs = [
      channel.on('messageUpdate', (changed) => report('messageUpdate', changed)),
      channel.on('messageDelete', (gone) => report('messageDelete', gone)),
      channel.on('reaction', (change) => report('reaction', change)),
    ];
    return () => offs.forEach((off) => off());
  };
  const followed = new Map<Id, () => void>();
  const followLast = (id: Id) => {
    const stop = followed.get(id) ?? follow(id);
    followed.delete(id);
    followed.set(id, stop);
    for (const [oldest, stopOldest] of followed) {
      if (followed.size <= MOST_CHANNELS) return;
      stopOldest();
      followed.delete(oldest);
    }
  };
  return {
    on(name, listener) {
      listeners[name].add(listener);
      return () => listeners[name].delete(listener);
    },
    async search(query, options) {
      const page = await client.communities.searchMessages(community, query, options);
      for (const { channel_id: id } of page.messages) followLast(id);
      return page;
    },
  };
}
