import { compareIds, idAfter, MOST_SEARCH_CANDIDATES, type Id } from '@hearth/protocol';
import { selectChanges } from '../../../talk/index-queue/index-queue.ts';
import { letOthersRun } from '../../../../lib/let-others-run.ts';
import type { Database } from '../../../../ports/database/database.ts';
import { EditedNumbers, numbersWith } from '../numbers-with.ts';
import type { LookedUp } from '../index-words.ts';
import { LAST_ID, laterId } from '../later-id.ts';
import { CHANNEL_SIZES, channelSpans, type ChannelSizes } from './channel-blocks.ts';
import type { Entries, Entry } from './entries.ts';
import { selectIdFrom, selectIds, selectNumberBefore, selectNumbers } from './numbers-store.ts';
import { selectIndexes, type ChannelIndex } from './store.ts';
import { IndexChanged, rowsOf } from './words-store.ts';

/** How many characters cost as much as a short message. */
const CHARACTERS = 4_096;

/** The next entries of a channel that may be what is searched, the newest first. */
export interface ChannelCandidates<Found = Entry> {
  readonly entries: readonly Found[];
  /** How much was read to find them. */
  readonly cost: number;
  /** Every entry of the channel with this id or a newer one was read. */
  readonly reached: Id;
}

/** Where candidates are, and where not. */
export interface ChannelHunt<Stored = unknown> {
  readonly database: Pick<Database, 'reader'>;
  readonly channelId: Id;
  readonly kind: Pick<Entries<Stored>, 'range' | 'some'>;
  /** The newest entry, which may have been deleted. */
  readonly newestId: Id;
  /** Undefined if nothing is indexed. */
  readonly index: ChannelIndex | undefined;
  /** Entries that the index does not have as they are now. */
  readonly changed: readonly Id[];
  readonly lookedUp: LookedUp;
  readonly after: Id | undefined;
  readonly before: Id | undefined;
  /** How many entries are read at once. */
  readonly page: number;
  readonly sizes?: ChannelSizes;
}

/** All entries of a channel that may be what is searched, the newest first, and each once. */
export async function* channelCandidates<Stored>(
  hunt: ChannelHunt<Stored>,
): AsyncGenerator<ChannelCandidates<Entry<Stored>>, void> {
  let { changed, index, before } = hunt;
  for (;;) {
    const left = { ...hunt, changed, index, before };
    try {
      for await (const some of once(left)) {
        yield some;
        before = some.reached;
      }
      return;
    } catch (error) {
      if (!(error instanceof IndexChanged)) throw error;
      await letOthersRun();
    }
    ({ changed, index } = await readIndex(hunt));
  }
}

async function* once<Stored>(
  hunt: ChannelHunt<Stored>,
): AsyncGenerator<ChannelCandidates<Entry<Stored>>, void> {
  yield* unindexed(hunt);
  yield* indexed(hunt);
}

/** The index of a channel, and what it does not have as it is now. */
async function readIndex({
  database: { reader },
  channelId,
}: Pick<ChannelHunt, 'database' | 'channelId'>): Promise<Pick<ChannelHunt, 'changed' | 'index'>> {
  // In this order: what is indexed between the two is found as what is not.
  const changes = await selectChanges(reader, [channelId], MOST_SEARCH_CANDIDATES);
  const indexes = await selectIndexes(reader, [channelId]);
  return { changed: changes.map(({ id }) => id), index: indexes.get(channelId) };
}

/** Every entry after the last one in the index. */
async function* unindexed<Stored>({
  database,
  channelId,
  kind,
  newestId,
  index,
  after,
  before = LAST_ID,
  page,
}: ChannelHunt<Stored>): AsyncGenerator<ChannelCandidates<Entry<Stored>>, void> {
  const begin = laterId(after, index?.lastId);
  if (begin !== undefined && compareIds(begin, newestId) >= 0) return;
  let end = before;
  while (begin === undefined || compareIds(begin, end) < 0) {
    const range = { after: begin, before: end, limit: page };
    const entries = await kind.range(database.reader, channelId, range);
    const last = entries.at(-1);
    if (last === undefined) return;
    end = last.id;
    yield { entries, cost: costOf(entries), reached: end };
    if (entries.length < page) return;
    await letOthersRun();
  }
}

/** The entries that the index names. Throws IndexChanged if it has changed so that some may be missing from then on. */
async function* indexed<Stored>(
  hunt: ChannelHunt<Stored>,
): AsyncGenerator<ChannelCandidates<Entry<Stored>>, void> {
  const { database, channelId, kind, index, lookedUp, after, before, page } = hunt;
  if (index === undefined || (after !== undefined && compareIds(after, index.lastId) >= 0)) return;
  const { reader } = database;
  const isBeforeEnd = before !== undefined && compareIds(before, index.lastId) <= 0;
  const lastNumber = isBeforeEnd
    ? await selectNumberBefore(reader, channelId, before)
    : index.lastNumber;
  const next = after && (idAfter(after) ?? LAST_ID);
  const firstNumber =
    next === undefined ? 1 : (await selectNumberBefore(reader, channelId, next)) + 1;
  if (lastNumber < firstNumber) return;
  const changed = await selectNumbers(reader, channelId, hunt.changed);
  const edited = new EditedNumbers([...changed.values()], { firstNumber, lastNumber });
  const { sizes = CHANNEL_SIZES } = hunt;
  const rows = rowsOf(reader, { channelId, sizes, version: index.version });
  const spans = channelSpans(sizes, { merged: index.merged, lastNumber });
  for await (const found of numbersWith(rows, { lookedUp, firstNumber, lastNumber, spans })) {
    const numbers = edited.among(found);
    let { cost } = found;
    let done = 0;
    do {
      const picked = numbers.slice(done, done + page);
      done += page;
      const ids = await selectIds(reader, channelId, picked);
      const entries = await kind.some(reader, channelId, ids);
      const number = done < numbers.length ? picked.at(-1) : found.reached;
      const reached = await selectIdFrom(reader, channelId, number ?? found.reached);
      yield {
        entries: entries.toSorted((one, other) => compareIds(other.id, one.id)),
        cost: cost + picked.length + costOf(entries) - entries.length,
        reached: reached ?? LAST_ID,
      };
      cost = 0;
      await letOthersRun();
    } while (done < numbers.length);
  }
}

/** How much reading entries costs: a long one as much as several. */
function costOf(entries: readonly Entry[]): number {
  return entries.reduce((sum, { text }) => sum + Math.ceil((text.length + 1) / CHARACTERS), 0);
}
