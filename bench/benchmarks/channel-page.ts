import { seededMessage } from '@hearth/testing/instances/seeded-communities';
import { join } from 'node:path';
import type { Benchmark, Goal } from '../benchmark.ts';
import { HttpLoad } from '../load/http-load.ts';
import { hearthWith } from '../subjects/hearth.ts';
import { copySeeded, seeded, SEEDS } from '../subjects/seeds.ts';
import type { RunningSubject } from '../subjects/subject.ts';
import { bunYardstick } from '../subjects/yardstick.ts';
import { takeLanes, type Lane } from './lanes.ts';

const FEW_MESSAGES = 2_000;
const CONNECTIONS = 4;
const GOAL: Goal = { most: 3 };

/** Pages of a long channel, compared with the rows of a page by their primary key. */
export const CHANNEL_PAGE: Benchmark = {
  name: 'channel-page',
  about: 'pages of a channel with 1,000,000 messages, against the rows by their primary key',
  async *run(settings) {
    const messages = settings.isShort ? FEW_MESSAGES : SEEDS.messages.messages;
    const data = await seeded({ ...SEEDS.messages, messages });
    const [community] = data.communities;
    const [token = ''] = data.tokens;
    if (community === undefined) throw new Error('nothing was seeded');
    await using resources = new AsyncDisposableStack();
    const ours = hearthWith((folder) => copySeeded(data, folder));
    const hearth = resources.use(await ours.start());
    const file = join(data.data, 'hearth.sqlite');
    const bare = bunYardstick('the rows by their primary key', 'page.ts', file, community.channel);
    const yardstick = resources.use(await bare.start());
    const middle = seededMessage(Math.floor(messages / 2));
    const laneOf = (subject: string, running: RunningSubject, path: string): Lane => {
      const headers = { authorization: `Bearer ${token}` };
      const request = { method: 'GET', port: running.ports.rest, path, headers } as const;
      return {
        subject,
        running,
        load: resources.use(new HttpLoad(request, CONNECTIONS)),
        samples: [],
      };
    };
    const ofOurs = (what: string, query: string) =>
      laneOf(what, hearth, `/channels/${community.channel}/messages?limit=50${query}`);
    const page = laneOf(
      bare.name,
      yardstick,
      `/?before=${seededMessage(Math.floor(messages / 2))}`,
    );
    const lanes: readonly [Lane, ...Lane[]] = [
      page,
      ofOurs('hearth: the newest', ''),
      ofOurs('hearth: before one in the middle', `&before=${middle}`),
      ofOurs('hearth: after one in the middle', `&after=${middle}`),
      ofOurs('hearth: around one in the middle', `&around=${middle}`),
    ];
    const work = `50 of ${messages.toLocaleString('en')} messages of a channel`;
    yield* takeLanes(lanes, { ...settings, work, goal: GOAL });
  },
};
