import { SEARCHED_CHANNEL } from '@hearth/testing/instances/searched-posts';
import {
  FREQUENT_WORD,
  MOST_FREQUENT_WORD,
  RARE_WORD,
} from '@hearth/testing/instances/searched-words';
import { join } from 'node:path';
import type { Benchmark, Goal, Row, Settings } from '../benchmark.ts';
import { HttpLoad } from '../load/http-load.ts';
import { median } from '../statistics.ts';
import { hearthWith } from '../subjects/hearth.ts';
import { copySeeded, seeded, SEEDS, type Seeded } from '../subjects/seeds.ts';
import type { RunningSubject } from '../subjects/subject.ts';
import { bunYardstick } from '../subjects/yardstick.ts';
import { cpuOf, takeLanes, type Lane } from './lanes.ts';

const FEW_ROWS = 4_000;
const CONNECTIONS = 4;
const MICROSECONDS_A_MILLISECOND = 1e3;

const GOAL: Goal = { most: 10 };
const ANY_TERM: Goal = { most: 50 };

/** A search, and whether the goal is for it: for one term, and for any term in milliseconds. */
interface Search {
  readonly what: string;
  readonly query: string;
  readonly goal?: Goal;
  readonly isAnyTerm?: boolean;
}

const SEARCHES: readonly Search[] = [
  { what: 'a word in every thousandth', query: `q=${RARE_WORD}`, goal: GOAL, isAnyTerm: true },
  { what: 'a word in every tenth', query: `q=${FREQUENT_WORD}`, isAnyTerm: true },
  { what: 'a word in every second', query: `q=${MOST_FREQUENT_WORD}`, isAnyTerm: true },
  { what: 'a word in none', query: 'q=nothing', goal: GOAL, isAnyTerm: true },
  { what: 'the beginning of 800 words', query: 'q=b', isAnyTerm: true },
  { what: 'a word in every tenth, of an author', query: `q=${FREQUENT_WORD}&from=user41` },
  { what: 'two words', query: `q=${FREQUENT_WORD}+${RARE_WORD}` },
];

/** Searches in a channel with many posts and comments, compared with as many rows by their primary key. */
export const SEARCH_POSTS: Benchmark = {
  name: 'search-posts',
  about: 'GET /search among 1,000,000 posts and comments, against the rows by their primary key',
  async *run(settings) {
    const searched = settings.isShort ? FEW_ROWS : SEEDS.search.searched;
    const data = await seeded({ ...SEEDS.search, searched });
    await using resources = new AsyncDisposableStack();
    const hearth = resources.use(await hearthWith((folder) => copySeeded(data, folder)).start());
    const among = `of ${searched.toLocaleString('en')} posts and comments`;
    for (const kind of ['posts', 'comments'] as const) {
      yield* measure({ ...settings, work: `50 ${kind} ${among}` }, { data, hearth, kind });
    }
  },
};

interface Measured {
  readonly data: Seeded;
  readonly hearth: RunningSubject;
  readonly kind: 'posts' | 'comments';
}

async function* measure(
  settings: Settings & { readonly work: string },
  { data, hearth, kind }: Measured,
): AsyncGenerator<Row> {
  await using resources = new AsyncDisposableStack();
  const [token = ''] = data.tokens;
  const headers = { authorization: `Bearer ${token}` };
  const file = join(data.data, 'hearth.sqlite');
  const script = kind === 'posts' ? 'post-page.ts' : 'comment-page.ts';
  const bare = bunYardstick('the rows by their primary key', script, file);
  const yardstick = resources.use(await bare.start());
  const laneOf = (subject: string, running: RunningSubject, path: string): Lane => {
    const request = { method: 'GET', port: running.ports.rest, path, headers } as const;
    const load = resources.use(new HttpLoad(request, CONNECTIONS));
    return { subject, running, load, samples: [] };
  };
  const searches = SEARCHES.map(({ what, query, goal, isAnyTerm = false }) => {
    const path = `/search?kind=${kind}&in=${SEARCHED_CHANNEL}&${query}&limit=50`;
    return { ...laneOf(`search: ${what}`, hearth, path), goal, isAnyTerm };
  });
  yield* takeLanes([laneOf(bare.name, yardstick, '/'), ...searches], settings);
  const costs = searches
    .filter(({ isAnyTerm }) => isAnyTerm)
    .map(({ samples }) => median(samples.map(cpuOf)) / MICROSECONDS_A_MILLISECOND);
  const { work } = settings;
  const subject = 'search: the term above that costs the most';
  yield { work, subject, value: Math.max(...costs), unit: 'ms of CPU', goal: ANY_TERM };
}
