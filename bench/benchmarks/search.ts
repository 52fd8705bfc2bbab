import {
  AUTHOR,
  FREQUENT_WORD,
  RARE_WORD,
  writeLobby,
} from '@hearth/testing/instances/searched-lobby';
import type { Benchmark, Goal, Row } from '../benchmark.ts';
import { takeTurn, type Load, type Sample } from '../compare.ts';
import { HttpLoad } from '../load/http-load.ts';
import { median } from '../statistics.ts';
import { hearthWith } from '../subjects/hearth.ts';

const MESSAGES = 1_000_000;
const FEW_MESSAGES = 20_000;
const CONNECTIONS = 4;
const MICROSECONDS_A_SECOND = 1e6;

const GOAL: Goal = { most: 10 };

/** What is asked for, in place of a page of the history. */
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

interface Lane {
  readonly subject: string;
  readonly goal: Goal | undefined;
  readonly load: Load;
  readonly samples: Sample[];
}

/** Searches in a long history, compared with a page of it from the same process. */
export const SEARCH: Benchmark = {
  name: 'search',
  about: 'GET /search among 1,000,000 messages, against a page of the history',
  async *run(settings) {
    const messages = settings.isShort ? FEW_MESSAGES : MESSAGES;
    await using resources = new AsyncDisposableStack();
    const subject = hearthWith((folder) => writeLobby(folder, messages));
    const running = resources.use(await subject.start());
    const laneOf = (path: string, name: string, goal?: Goal): Lane => ({
      subject: name,
      goal,
      load: resources.use(
        new HttpLoad({ method: 'GET', port: running.ports.rest, path }, CONNECTIONS),
      ),
      samples: [],
    });
    const page = laneOf('/messages?limit=50', 'a page of the history');
    const searches = SEARCHES.map(({ what, query, goal }) =>
      laneOf(`/search?${query}&limit=50`, `search: ${what}`, goal),
    );
    const lanes = [page, ...searches];
    for (const { load } of lanes) {
      await load.prepare();
      await load.run(settings.warmUpMs);
    }
    for (let round = 0; round < settings.rounds; round += 1) {
      for (const { load, samples } of lanes) {
        samples.push(await takeTurn({ running, load }, settings.sliceMs));
      }
    }
    const work = `50 of ${messages.toLocaleString('en')} messages`;
    for (const lane of lanes) yield rowOf(work, lane, page);
  },
};

function rowOf(work: string, { subject, goal, samples }: Lane, page: Lane): Row {
  const ratios = samples.map((sample, at) => cpuOf(sample) / cpuOf(page.samples[at]));
  return {
    work,
    subject,
    value: median(samples.map(({ operations, seconds }) => operations / seconds)),
    unit: 'requests/s',
    cpuMicroseconds: median(samples.map(cpuOf)),
    ...(samples === page.samples ? {} : { ratio: median(ratios) }),
    ...(goal === undefined ? {} : { goal }),
  };
}

function cpuOf(sample: Sample | undefined): number {
  if (sample === undefined) throw new RangeError('a turn is missing');
  return (sample.serverSeconds / sample.operations) * MICROSECONDS_A_SECOND;
}
