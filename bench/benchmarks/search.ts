import { AUTHOR, writeLobby } from '@hearth/testing/instances/searched-lobby';
import { FREQUENT_WORD, RARE_WORD } from '@hearth/testing/instances/searched-words';
import type { Benchmark, Goal } from '../benchmark.ts';
import { HttpLoad } from '../load/http-load.ts';
import { hearthWith } from '../subjects/hearth.ts';
import { takeLanes, type Lane } from './lanes.ts';

const MESSAGES = 1_000_000;
const FEW_MESSAGES = 20_000;
const CONNECTIONS = 4;

const GOAL: Goal = { most: 10 };

/** The queries, in place of a page of the history. */
const SEARCHES: readonly { readonly what: string; readonly query: string; readonly goal?: Goal }[] =
  [
    { what: 'a word in every thousandth message', query: `q=${RARE_WORD}`, goal: GOAL },
    { what: 'a word in every tenth message', query: `q=${FREQUENT_WORD}`, goal: GOAL },
    { what: 'a word in no message', query: 'q=nothing', goal: GOAL },
    {
      what: 'a word in every tenth message, of an author',
      query: `q=${FREQUENT_WORD}&from=${AUTHOR}`,
    },
    { what: 'two words', query: `q=${FREQUENT_WORD}+${RARE_WORD}` },
  ];

/** Searches in a long history, compared with a page of it from the same process. */
export const SEARCH: Benchmark = {
  name: 'search',
  about: 'GET /search among 1,000,000 messages, against a page of the history',
  async *run(settings) {
    const messages = settings.isShort ? FEW_MESSAGES : MESSAGES;
    await using resources = new AsyncDisposableStack();
    const subject = hearthWith((folder) => writeLobby(folder, messages));
    const running = resources.use(await subject.start());
    const laneOf = (path: string, name: string, goal?: Goal): Lane => {
      const request = { method: 'GET', port: running.ports.rest, path } as const;
      const load = resources.use(new HttpLoad(request, CONNECTIONS));
      return { subject: name, running, load, samples: [], goal };
    };
    const page = laneOf('/messages?limit=50', 'a page of the history');
    const searches = SEARCHES.map(({ what, query, goal }) =>
      laneOf(`/search?${query}&limit=50`, `search: ${what}`, goal),
    );
    const work = `50 of ${messages.toLocaleString('en')} messages`;
    yield* takeLanes([page, ...searches], { ...settings, work });
  },
};
