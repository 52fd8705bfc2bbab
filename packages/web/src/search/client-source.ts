import type { ChannelMessage, FoundAnywhere, Id, LobbyMessage, Post } from '@hearth/protocol';
import type { ChannelClient, Client, PostsClient } from '@hearth/sdk';
import type { FoundChange, OpenSource } from './search.ts';

/** The number of channels that are listened to. After a loss, each of them is read again. */
const MOST_CHANNELS = 20;

/** The part of a client that is needed. */
export interface SearchedClient extends Pick<Client, 'on'> {
  channel(id: Id): Pick<ChannelClient, 'on'>;
}

/** Searches with a client. Changes are reported of posts, of the lobby, and of the channels where messages were found last. */
export function clientSource(
  client: SearchedClient,
  posts: Pick<PostsClient, 'searchAll' | 'countFound'>,
): OpenSource {
  return (report) => {
    const gone = ({ id }: { readonly id: Id }) => report(id, () => undefined);
    const offs = [
      client.on('messageDelete', gone),
      client.on('messageUpdate', (now) => {
        if (now.id !== undefined) report(now.id, messageNow(now));
      }),
      client.on('postDelete', gone),
      client.on('postUpdate', (now) => report(now.id, postNow(now))),
    ];
    const follow = (id: Id) => {
      const channel = client.channel(id);
      const ends = [
        channel.on('messageDelete', gone),
        channel.on('messageUpdate', (now) => report(now.id, messageNow(now))),
      ];
      return () => ends.forEach((end) => end());
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
      async find(asked, options) {
        const page = await posts.searchAll(asked, options);
        for (const found of page.entries) {
          const id = channelOf(found);
          if (id !== undefined && found.kind === 'messages') followLast(id);
        }
        return page;
      },
      count: (asked, options) => posts.countFound(asked, options),
      [Symbol.dispose]() {
        for (const off of [...offs, ...followed.values()]) off();
      },
    };
  };
}

/** Returns the channel of something that was found; undefined in the lobby. */
export function channelOf(found: FoundAnywhere): Id | undefined {
  switch (found.kind) {
    case 'messages':
      return 'channel_id' in found.message ? found.message.channel_id : undefined;
    case 'posts':
      return found.post.channel_id;
    case 'comments':
      return found.comment.channel_id;
  }
}

function messageNow(now: Partial<ChannelMessage | LobbyMessage>): FoundChange {
  return (known) => {
    if (known.kind !== 'messages') return known;
    const { version = 1 } = known.message;
    if ((now.version ?? Infinity) < version) return known;
    return { ...known, message: { ...known.message, ...now, id: known.id } };
  };
}

function postNow(now: Post): FoundChange {
  return (known) =>
    known.kind !== 'posts' || now.version < known.post.version ? known : { ...known, post: now };
}
