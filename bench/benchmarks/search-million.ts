import { SEARCH_STOPPED_HEADER } from '@hearth/protocol';
import { indexSearch } from '@hearth/testing/instances/index-search';
import {
  writePlaces,
  writeTexts,
  type WrittenPlaces,
} from '@hearth/testing/instances/searched-texts';
import {
  COMMON_WORD,
  EITHER_WORD,
  FREQUENT_WORD,
  longerText,
  MOST_FREQUENT_WORD,
  randomNumbers,
  RARE_WORD,
  SECOND_WORD,
} from '@hearth/testing/instances/searched-words';
import { systemClock as clock } from '../../packages/server/src/lib/clock.ts';
import { selectNoted } from '../../packages/server/src/features/talk/index-queue/index-queue.ts';
import type { Database } from '../../packages/server/src/ports/database/database.ts';
import type { Benchmark, Goal, Row, Settings } from '../benchmark.ts';
import { takeTurn } from '../compare.ts';
import { HttpLoad } from '../load/http-load.ts';
import { ownCpuSeconds } from '../load/own-cpu.ts';
import { median, percentile } from '../statistics.ts';
import { ENGINES, type Engine, type InstanceDatabase } from '../subjects/on-each-engine.ts';
import type { RunningSubject } from '../subjects/subject.ts';

/** Amounts of what is written and searched. */
interface Size {
  readonly communities: number;
  readonly texts: number;
  /** Texts whose filling is compared with posts. */
  readonly filled: number;
  /** Times that each search is measured. */
  readonly times: number;
}

const SIZE: Size = { communities: 100, texts: 1_000_000, filled: 20_000, times: 200 };
const SHORT_SIZE: Size = { communities: 4, texts: 500, filled: 100, times: 1 };

const IN_FLIGHT = [64, 1];
const MICROSECONDS_A_SECOND = 1e6;

/** One of so many searches is made before the others are measured. */
const WARM_UP_PART = 10;

const MOST_MS: Goal = { most: 50 };
const MOST_OF_POSTS: Goal = { most: 0.3 };

const SEARCHES: readonly { readonly what: string; readonly q: string }[] = [
  { what: 'a word in every text', q: COMMON_WORD },
  { what: 'a word in every tenth', q: FREQUENT_WORD },
  { what: 'a word in every thousandth', q: RARE_WORD },
  { what: 'a word in none', q: 'nothing' },
  { what: 'two words in every second that never meet', q: EITHER_WORD.join(' ') },
  { what: 'a phrase of two frequent words', q: `"${MOST_FREQUENT_WORD} ${SECOND_WORD}"` },
  {
    what: 'a phrase that is in none, of frequent words',
    q: `"${MOST_FREQUENT_WORD} ${COMMON_WORD}"`,
  },
  { what: 'a prefix of one character', q: 'b' },
  { what: 'a prefix of three', q: 'b1h' },
];

/** Searches among many texts of a person's communities, and the cost of the index. */
export const SEARCH_MILLION: Benchmark = {
  name: 'search-million',
  about:
    'GET /search among 1,000,000 texts of 100 communities, and the filling of the index against posts, on both engines',
  async *run(settings) {
    const size = settings.isShort ? SHORT_SIZE : SIZE;
    for (const engine of ENGINES) yield* measure(engine, { ...settings, ...size });
  },
};

/** An instance that was filled, and the CPU seconds that the index took for each text. */
interface Filled extends InstanceDatabase, WrittenPlaces {
  readonly ofText: number;
  readonly ofNewText: number;
}

async function* measure(engine: Engine, size: Size & Settings): AsyncGenerator<Row> {
  const { communities, texts, filled } = size;
  let written: Filled | undefined;
  const subject = engine.instance(async (own) => {
    await using database = await own.open();
    const places = await writePlaces(database, communities);
    await writeTexts(database, { communities, texts });
    const ofText = (await secondsOfIndexing(database, own)) / texts;
    await writeTexts(database, { communities, texts: filled, before: texts, areNoted: true });
    const ofNewText = (await secondsOfIndexing(database, own)) / filled;
    written = { ...own, ...places, ofText, ofNewText };
  });
  await using running = await subject.start();
  if (written === undefined) throw new Error('nothing was written');
  const work = `${texts.toLocaleString('en')} texts, ${engine.name}`;
  yield* searchTexts({ running, written, work }, size);
  yield* compareFilling({ running, written, work }, size);
}

interface Measured {
  readonly running: RunningSubject;
  readonly written: Filled;
  readonly work: string;
}

/** Compares the cost of filling the index with that of the posts that fill it. */
async function* compareFilling(
  { running, written, work }: Measured,
  settings: Settings,
): AsyncGenerator<Row> {
  const { ofText, ofNewText } = written;
  const row = (subject: string, each: number) => {
    const cpuMicroseconds = each * MICROSECONDS_A_SECOND;
    return { work, subject, value: 1 / each, unit: 'texts/s of CPU', cpuMicroseconds };
  };
  yield row('the index of new texts', ofNewText);
  yield row('another index of all texts', ofText);
  for (const inFlight of IN_FLIGHT) {
    const ofPost = await secondsOfPost({ running, written, inFlight }, settings);
    const subject = `posts to channels, ${inFlight} in flight, against the index of new texts`;
    yield { ...row(subject, ofPost), ratio: ofNewText / ofPost, goal: MOST_OF_POSTS };
  }
}

/** The CPU seconds of a post, without what was indexed meanwhile. */
async function secondsOfPost(
  { running, written, inFlight }: Omit<Measured, 'work'> & { readonly inFlight: number },
  { warmUpMs, rounds, sliceMs }: Settings,
): Promise<number> {
  const { channels, token, databaseSeconds, ofNewText } = written;
  const random = randomNumbers();
  const requests = Array.from({ length: inFlight }, (_, at) => ({
    method: 'POST' as const,
    port: running.ports.rest,
    path: `/channels/${channels[at % channels.length]}/messages`,
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({ content: longerText(random) }),
  }));
  await using load = new HttpLoad(requests, inFlight);
  await load.prepare();
  await load.run(warmUpMs);
  await using database = await written.open();
  const seconds = () => running.cpuSeconds + databaseSeconds();
  const [secondsBefore, notedBefore] = [seconds(), await countNoted(database)];
  let posts = 0;
  for (let round = 0; round < rounds; round += 1) {
    posts += (await takeTurn({ running, load }, sliceMs)).operations;
  }
  const indexed = posts + notedBefore - (await countNoted(database));
  return (seconds() - secondsBefore - indexed * ofNewText) / posts;
}

async function countNoted({ reader }: Pick<Database, 'reader'>): Promise<number> {
  return (await selectNoted(reader, Number.MAX_SAFE_INTEGER)).length;
}

/** Indexes what was written. Returns the CPU seconds that it took, those of the database included. */
async function secondsOfIndexing(
  database: Database,
  { databaseSeconds }: Pick<InstanceDatabase, 'databaseSeconds'>,
): Promise<number> {
  const seconds = () => ownCpuSeconds() + databaseSeconds();
  const before = seconds();
  await indexSearch({ database, clock });
  return seconds() - before;
}

/** Measures searches of each kind, one after another. */
async function* searchTexts(
  { running, written, work: ofEngine }: Measured,
  { communities, times }: Size,
): AsyncGenerator<Row> {
  const { token, smallChannels, databaseSeconds, ...places } = written;
  const headers = { authorization: `Bearer ${token}` };
  const scopes = {
    [`${communities} communities`]: ['in=all'],
    'one community': places.communities.map((id) => `community=${id}`),
    'a small channel': smallChannels.map((id) => `in=${id}`),
  };
  const cpuSeconds = () => running.cpuSeconds + databaseSeconds();
  for (const [where, named] of Object.entries(scopes)) {
    const work = `${ofEngine}: ${where}`;
    for (const { what, q } of SEARCHES) {
      const search = async (at: number) => {
        const query = `${named[at % named.length]}&q=${encodeURIComponent(q)}`;
        const url = `http://127.0.0.1:${running.ports.rest}/search?${query}&limit=50`;
        const startedAtMs = performance.now();
        const answer = await fetch(url, { headers });
        await answer.arrayBuffer();
        if (!answer.ok) throw new Error(`${url} was answered with ${answer.status}`);
        const isStopped = answer.headers.has(SEARCH_STOPPED_HEADER);
        return { ms: performance.now() - startedAtMs, isStopped };
      };
      for (let at = 0; at < times; at += WARM_UP_PART) await search(at);
      const before = cpuSeconds();
      const answers: Awaited<ReturnType<typeof search>>[] = [];
      for (let at = 0; at < times; at += 1) answers.push(await search(at));
      const taken = answers.map(({ ms }) => ms);
      const stopped = answers.filter(({ isStopped }) => isStopped).length;
      const ofEach = (cpuSeconds() - before) / times;
      const subject = stopped === 0 ? what : `${what} (${stopped} of ${times} stopped)`;
      const row = { work, unit: 'ms' };
      yield {
        ...row,
        subject: `${subject}: p50`,
        value: median(taken),
        cpuMicroseconds: ofEach * MICROSECONDS_A_SECOND,
      };
      yield { ...row, subject: `${subject}: p99`, value: percentile(taken, 99), goal: MOST_MS };
    }
  }
}
