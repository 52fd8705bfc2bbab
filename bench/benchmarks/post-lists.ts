import { costOfOrder } from '@hearth/testing/instances/made-orders';
import { seededPosts } from '@hearth/testing/instances/seeded-posts';
import type { Seed } from '@hearth/testing/instances/seeded-communities';
import { join } from 'node:path';
import type { Benchmark, Row, Settings } from '../benchmark.ts';
import { HttpLoad } from '../load/http-load.ts';
import { median } from '../statistics.ts';
import { hearthWith } from '../subjects/hearth.ts';
import { temporaryFolder } from '../subjects/left-behind.ts';
import { copySeeded, seeded, SEEDS, type Seeded } from '../subjects/seeds.ts';
import type { RunningSubject } from '../subjects/subject.ts';
import { bunYardstick } from '../subjects/yardstick.ts';
import { cpuOf, takeLanes, type Lane } from './lanes.ts';

const CONNECTIONS = 4;
const ORDERS = 200;
const FEW_ORDERS = 10;
const FEW_POSTS = 200;

interface Plan {
  readonly seed: Seed & { readonly posts: number };
  readonly path: string;
  readonly most: number;
}

/** Pages of hot posts of a long channel, compared with as many rows by their primary key. */
export const HOT_POSTS: Benchmark = {
  name: 'hot-posts',
  about:
    'pages of hot posts of a channel with 1,000,000 posts, against the rows by their primary key',
  run: (settings) =>
    measure(settings, {
      seed: SEEDS.posts,
      path: `/channels/${seededPosts(0)}/posts`,
      most: 3,
    }),
};

/** Pages of a feed over many communities, compared with as many rows by their primary key. */
export const POST_FEED: Benchmark = {
  name: 'post-feed',
  about: 'pages of a feed over 100 communities, against the rows by their primary key',
  run: (settings) => measure(settings, { seed: SEEDS.feed, path: '/feed', most: 20 }),
};

async function* measure(settings: Settings, { seed, path, most }: Plan): AsyncGenerator<Row> {
  const data = await seeded(settings.isShort ? { ...seed, posts: FEW_POSTS } : seed);
  await using resources = new AsyncDisposableStack();
  const lanes = await openLanes(resources, data, path);
  const [page, begun] = lanes;
  const work = `50 of ${(seed.communities * seed.posts).toLocaleString('en')} posts`;
  yield* takeLanes(lanes, { ...settings, work, goal: { most } });
  const { path: folder } = resources.use(temporaryFolder());
  await copySeeded(data, folder);
  const channels = data.communities.map((_, at) => seededPosts(at));
  const orders = settings.isShort ? FEW_ORDERS : ORDERS;
  const made = await costOfOrder(join(folder, 'data'), channels, orders);
  const cpuMicroseconds = median(begun.samples.map(cpuOf)) + made;
  const subject = 'hearth: a first page that makes the order';
  const ratio = cpuMicroseconds / median(page.samples.map(cpuOf));
  yield {
    work,
    subject,
    value: made,
    unit: 'µs to make it',
    cpuMicroseconds,
    ratio,
    goal: { most },
  };
}

async function openLanes(
  resources: AsyncDisposableStack,
  data: Seeded,
  path: string,
): Promise<readonly [Lane, Lane, Lane]> {
  const [token = ''] = data.tokens;
  const hearth = resources.use(await hearthWith((folder) => copySeeded(data, folder)).start());
  const file = join(data.data, 'hearth.sqlite');
  const bare = bunYardstick('the rows by their primary key', 'post-page.ts', file);
  const yardstick = resources.use(await bare.start());
  const headers = { authorization: `Bearer ${token}` };
  const laneOf = (subject: string, running: RunningSubject, at: string): Lane => {
    const request = { method: 'GET', port: running.ports.rest, path: at, headers } as const;
    const load = resources.use(new HttpLoad(request, CONNECTIONS));
    return { subject, running, load, samples: [] };
  };
  const first = `${path}?limit=50`;
  const answer = await fetch(`http://127.0.0.1:${hearth.ports.rest}${first}`, { headers });
  const next = /<([^>]+)>/.exec(answer.headers.get('link') ?? '')?.[1];
  if (next === undefined) throw new Error('there is no second page');
  return [
    laneOf(bare.name, yardstick, '/'),
    laneOf('hearth: a first page', hearth, first),
    laneOf('hearth: a later page', hearth, `${path}${next}`),
  ];
}
