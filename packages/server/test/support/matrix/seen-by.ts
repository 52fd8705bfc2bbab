import {
  channelStream,
  communityStream,
  moderatorStream,
  type Id,
  type StreamEvent,
} from '@hearth/protocol';
import type { AccountClient } from '@hearth/testing/clients/account-client';
import { messageBy, type Place } from './cast.ts';
import { lineOf } from './table.ts';

const YES = 'yes';
const NO = 'no';

/** Publishes an event. */
type Publish = (publication: {
  readonly stream: string;
  readonly event: StreamEvent;
}) => void | Promise<unknown>;

/**
 * Resolves with what clients may watch, and which streams they follow: without watching, and while watching the
 * community. Each line is a line of the table of streams. A client follows exactly what it is sent; READY has to say
 * the same.
 */
export async function seenBy(
  clients: readonly AccountClient[],
  { community, open, secret, openPosts, secretPosts, posts }: Place,
  publish: Publish,
): Promise<readonly string[]> {
  const streams = {
    'c:': communityStream(community),
    'r: of the secret channel': channelStream(secret),
    'm:': moderatorStream(community),
  };
  const lines: string[] = [];
  const follow = async (suffix: string) => {
    for (const [name, stream] of Object.entries(streams)) {
      const before = clients.map((client) => client.eventsOf(stream).length);
      const d = { id: '998' as Id, community_id: community };
      await publish({ stream, event: { op: 'CHANNEL_DELETE', d } });
      await Promise.all(clients.map((client) => client.ping()));
      const cells = clients.map((client, at) => {
        const isSent = client.eventsOf(stream).length > (before[at] ?? 0);
        if (isSent !== stream in client.places) throw new Error(`READY is wrong about ${stream}`);
        return isSent ? YES : NO;
      });
      lines.push(lineOf(`${name}${suffix}`, cells));
    }
  };
  await follow('');
  const [openPost = '', secretPost = ''] = [openPosts, secretPosts].map(
    (channel) => posts.get(messageBy('owner', channel))?.post,
  );
  const d = { communities: [community], channels: [open, secret], posts: [openPost, secretPost] };
  const watched = await Promise.all(
    clients.map(async (client) => {
      client.raw.sendText(JSON.stringify({ op: 'WATCH', d }));
      await client.until('WATCHED');
      return client.one('WATCHED').d;
    }),
  );
  const watches = (name: string, isWatched: (one: (typeof watched)[number]) => boolean) =>
    lines.push(
      lineOf(
        name,
        watched.map((one) => (isWatched(one) ? YES : NO)),
      ),
    );
  watches('watching the community', ({ communities }) => communities.length > 0);
  watches('watching a channel', ({ channels }) => channels.includes(open));
  watches('watching the secret channel', ({ channels }) => channels.includes(secret));
  const watchesPost = (post: string) => (one: (typeof watched)[number]) =>
    one.posts.some((id) => id === post);
  watches('watching a post', watchesPost(openPost));
  watches('watching a post in a secret channel', watchesPost(secretPost));
  await follow(', while watching');
  return lines;
}
