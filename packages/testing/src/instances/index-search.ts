import { positionsIn, type BlockSizes } from '../../../server/src/features/search/search/blocks.ts';
import { Indexer } from '../../../server/src/features/search/search/indexer.ts';
import { selectState } from '../../../server/src/features/search/search/store.ts';
import type { Clock } from '../../../server/src/lib/clock.ts';
import { jsonLogger } from '../../../server/src/log/logger.ts';
import type { Database } from '../../../server/src/ports/database/database.ts';

/** The options of indexing. */
interface Indexing {
  /** After so many steps the work ends. */
  readonly steps?: number;
  readonly sizes?: BlockSizes;
  /** Runs after each step. */
  readonly pause?: () => Promise<void>;
}

/** Indexes everything that was written for the search. Throws what is logged. */
export async function indexSearch(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  { steps = Infinity, sizes, pause = async () => {} }: Indexing = {},
): Promise<void> {
  const logged: string[] = [];
  const log = jsonLogger('error', (line) => logged.push(line));
  let left = steps;
  const pauseOnce = async () => {
    left -= 1;
    if (left === 0) void indexer[Symbol.asyncDispose]();
    await pause();
  };
  const options = { database, clock, log, pause: pauseOnce, ...(sizes && { sizes }) };
  await using indexer = new Indexer(options);
  await indexer.run();
  if (logged.length > 0) throw new Error(logged.join('\n'));
}

/** The words of each entry in the index that is searched, in no particular order of entries. */
export async function wordsInIndex({
  reader,
}: Pick<Database, 'reader'>): Promise<readonly (readonly string[])[]> {
  const state = await selectState(reader);
  const rows = await reader
    .selectFrom('search_words')
    .innerJoin('search_blocks', 'search_blocks.block', 'search_words.block')
    .select(['search_words.block', 'word', 'hits'])
    .where('index_number', '=', state?.searched ?? 0)
    .execute();
  const words = new Map<string, string[]>();
  for (const { block, word, hits } of rows) {
    for (const position of positionsIn([hits])) {
      const place = `${block} ${position}`;
      words.set(place, [...(words.get(place) ?? []), word]);
    }
  }
  return words
    .values()
    .map((each) => each.toSorted())
    .toArray()
    .toSorted((one, other) => (one.join() < other.join() ? -1 : 1));
}
