import { compareIds, type Id, type LobbyMessage } from '@hearth/protocol';
import { letOthersRun } from '../../../lib/let-others-run.ts';
import type { Database } from '../../../ports/database/database.ts';
import {
  listKept,
  pickKept,
  selectNumberBefore,
  selectNumberUpTo,
  selectOldestNumber,
  type Kept,
} from '../../talk/lobby/lobby.ts';
import { blocksUpTo } from './blocks.ts';
import type { LookedUp } from './index-words.ts';
import { EditedNumbers, numbersWith, type NumberRange } from './numbers-with.ts';
import { rowsOf, type Index } from './store.ts';
import { LAST_ID, laterId } from './later-id.ts';

/** Messages that are read at once, so that others have to wait for a few milliseconds only. */
const PAGE = 128;

/** The next messages that may be what is searched, the newest first. */
export interface Candidates {
  readonly messages: readonly LobbyMessage[];
  /** How much was read to find them. */
  readonly cost: number;
  /** Everything newer was read: up to this message, or up to and including the one with this number. */
  readonly reached: { readonly id: Id } | { readonly number: number };
}

/** Where candidates are, and where not. */
export interface Hunt {
  readonly database: Pick<Database, 'reader'>;
  readonly kept: Kept;
  /** Undefined if nothing is indexed. */
  readonly index: Index | undefined;
  /** The numbers of messages whose words have changed since they were indexed. */
  readonly edited: readonly number[];
  readonly lookedUp: LookedUp;
  readonly after: Id | undefined;
  readonly before: Id | undefined;
  /** How many more messages are wanted. */
  readonly left: () => number;
}

/** All messages that may be what is searched, the newest first, and each once. */
export async function* candidates(hunt: Hunt): AsyncGenerator<Candidates> {
  yield* unindexed(hunt);
  yield* indexed(hunt);
}

/** Every message after the last one in the index. */
async function* unindexed({
  database,
  kept,
  index,
  after,
  before,
}: Hunt): AsyncGenerator<Candidates> {
  const begin = laterId(after, index?.indexedId);
  // Without a place to end, the oldest messages would be read first.
  let end = before ?? LAST_ID;
  while (begin === undefined || compareIds(begin, end) < 0) {
    const query = { after: begin, before: end, limit: PAGE };
    const messages = await listKept(database, kept, query);
    const last = messages.at(-1);
    if (last === undefined) return;
    end = last.id;
    yield { messages, cost: messages.length, reached: { id: end } };
    if (messages.length < PAGE) return;
    await letOthersRun();
  }
}

/** The messages that the index names. */
async function* indexed(hunt: Hunt): AsyncGenerator<Candidates> {
  const { database, kept, index, lookedUp, after, before, left } = hunt;
  if (index === undefined) return;
  const range = await numberRange(hunt, index);
  if (range === undefined) return;
  const isInRange = ({ id }: LobbyMessage) =>
    compareIds(id, index.indexedId) <= 0 &&
    (after === undefined || compareIds(id, after) > 0) &&
    (before === undefined || compareIds(id, before) < 0);
  const edited = new EditedNumbers(hunt.edited, range);
  let factor = 1;
  const spans = blocksUpTo(index.indexedNumber);
  const rows = rowsOf(database.reader, index.place);
  for await (const found of numbersWith(rows, { lookedUp, spans, ...range })) {
    const { reached } = found;
    const numbers = edited.among(found);
    let { cost } = found;
    for (let done = 0; done < numbers.length;) {
      const wanted = left();
      const picked = numbers.slice(done, done + Math.min(PAGE, wanted * factor));
      done += picked.length;
      const messages = (await pickKept(database, kept, picked)).filter(isInRange);
      const last = picked.at(-1) ?? reached;
      yield { messages, cost: cost + picked.length, reached: { number: last } };
      cost = 0;
      // The index names more than what is searched if a phrase or a file is.
      const isExact = left() <= wanted - picked.length;
      factor = isExact ? 1 : factor * 2;
      await letOthersRun();
    }
    yield { messages: [], cost, reached: { number: reached } };
  }
}

/** The messages that can be in the index. */
async function numberRange(
  { database, kept, after, before }: Hunt,
  { indexedNumber, indexedId }: Index,
): Promise<NumberRange | undefined> {
  const { reader } = database;
  const isBeforeEnd = before !== undefined && compareIds(before, indexedId) <= 0;
  const lastNumber = isBeforeEnd ? await selectNumberBefore(reader, before) : indexedNumber;
  const oldest = await selectOldestNumber(reader);
  if (lastNumber === undefined || oldest === undefined) return undefined;
  const afterNumber = after === undefined ? 0 : await selectNumberUpTo(reader, after);
  const firstNumber = Math.max(oldest, kept.outdated.afterNumber + 1, afterNumber + 1);
  return { firstNumber, lastNumber: Math.min(indexedNumber, lastNumber) };
}
