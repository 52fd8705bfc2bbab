import type { Benchmark, Row, Settings } from '../benchmark.ts';
import { compare } from '../compare.ts';
import { ChannelFleet } from '../load/channel-fleet.ts';
import { MESSAGE } from '../load/message.ts';
import { mostSockets } from '../load/most-sockets.ts';
import { SocketFleet } from '../load/socket-fleet.ts';
import { HEARTH, hearthWith } from '../subjects/hearth.ts';
import { copySeeded, seeded, SEEDS } from '../subjects/seeds.ts';
import { bunYardstick } from '../subjects/yardstick.ts';

/** An event as long as that of a message of a channel: only digits differ. */
const CHANNEL_EVENT = JSON.stringify({
  op: 'MESSAGE_CREATE',
  t: 'c:55340232221128654848',
  s: 1_000,
  d: {
    id: '2680231098724220450352726016',
    channel_id: '73786976294838206464',
    author: 'user0',
    content: MESSAGE.content,
    user: { id: '18446744073709617152', username: 'user0', display_name: 'User 0' },
    created_at: 1_795_295_619_052,
    version: 1,
  },
});

const PUBLISH = bunYardstick('bare Bun.serve publish', 'publish.ts', CHANNEL_EVENT);

const PUBLISH_TOPICS = bunYardstick(
  'bare Bun.serve publish to a topic each',
  'publish-topics.ts',
  CHANNEL_EVENT,
);

/**
 * The largest number of a channel's members who follow it, and the cost of a delivery that is allowed then, compared
 * with one of the lobby.
 */
const FOLLOWED = [
  { most: 1_000, goal: { most: 1.1 } },
  { most: 200, goal: { most: 1.25 } },
];

/** The cost of a message of a channel for each member who receives it. */
export const CHANNEL_FAN_OUT: Benchmark = {
  name: 'channel-fanout',
  about: 'posts to a channel that 1,000 and 200 members follow, against the lobby and bare publish',
  run: channelFanOut,
};

/** The cost of messages in many communities at a time. */
export const COMMUNITIES_FAN_OUT: Benchmark = {
  name: 'communities-fanout',
  about: 'posts in 32 of 1,000 communities of ten, all 10,000 members connected',
  run: communitiesFanOut,
};

async function* channelFanOut(settings: Settings): AsyncGenerator<Row> {
  const data = await seeded({
    ...SEEDS.channel,
    members: mostSockets(settings.isShort ? 20 : SEEDS.channel.members, 3),
  });
  const ours = { ...hearthWith((folder) => copySeeded(data, folder)), name: 'hearth: a channel' };
  const lobby = { ...HEARTH, name: 'hearth: the lobby' };
  for (const { most, goal } of FOLLOWED) {
    const tokens = data.tokens.slice(0, settings.isShort ? most / 50 : most);
    const followers = tokens.length;
    const channels = data.communities.map(({ channel }) => ({ id: channel, tokens }));
    for (const inFlight of [1, 32]) {
      yield* compare(
        {
          work: `fan-out in a channel, ${followers.toLocaleString('en')} followers, ${inFlight} in flight`,
          operation: 'deliveries',
          measure: 'cpu',
          ours,
          yardsticks: [lobby, PUBLISH],
          goal,
          load: ({ ports }, subject) =>
            subject === ours
              ? ChannelFleet.connect(ports, channels, { channels: 1, inFlight })
              : SocketFleet.connect(
                  ports,
                  subject === lobby
                    ? { sockets: followers, profiled: followers }
                    : { sockets: followers, event: CHANNEL_EVENT },
                  { inFlight },
                ),
        },
        settings,
      );
    }
  }
}

/** The number of communities that are posted to at a time. */
const POSTING = 32;

async function* communitiesFanOut(settings: Settings): AsyncGenerator<Row> {
  const { members } = SEEDS.tens;
  const wanted = settings.isShort ? 40 : SEEDS.tens.communities * members;
  const communities = Math.max(1, Math.floor(mostSockets(wanted, 2) / members));
  const data = await seeded({ ...SEEDS.tens, communities });
  const channels = data.communities.map(({ channel }, at) => ({
    id: channel,
    tokens: data.tokens.slice(at * members, (at + 1) * members),
  }));
  const topics = channels.map(({ tokens }, at) => {
    // About as long as a token.
    const id = `topic${at}`.padEnd(100, '_');
    return { id, tokens: tokens.map(() => id) };
  });
  const ours = {
    ...hearthWith((folder) => copySeeded(data, folder)),
    name: 'hearth: communities of ten',
  };
  yield* compare(
    {
      work: `fan-out in ${communities.toLocaleString('en')} communities of ${members}, ${Math.min(POSTING, communities)} in flight`,
      operation: 'deliveries',
      measure: 'cpu',
      ours,
      yardsticks: [PUBLISH_TOPICS],
      load: ({ ports }, subject) =>
        ChannelFleet.connect(ports, subject === ours ? channels : topics, {
          channels: POSTING,
          inFlight: 1,
        }),
    },
    settings,
  );
}
