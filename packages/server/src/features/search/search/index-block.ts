import type { SplitWords } from '@hearth/protocol';
import type { Database, Statement } from '../../../ports/database/database.ts';
import { selectNumberRange } from '../../talk/lobby/lobby.ts';
import { hitOf, numbersOf, type Block } from './blocks.ts';
import { indexedWords } from './index-words.ts';
import { wordStatements } from './store.ts';

/** Messages that are read and split in one step, which takes about a millisecond. */
const MESSAGES_A_STEP = 64;

/** Statements of one transaction, each with up to 64 rows. */
const STATEMENTS_A_STEP = 8;

export interface BlockIndexing {
  readonly database: Database;
  readonly split: SplitWords;
  /** Runs between steps. */
  readonly pause: () => Promise<void>;
}

/** Stores the words of a block, whose messages are all written. Harmless if repeated. */
export async function indexBlock(
  { database, split, pause }: BlockIndexing,
  at: { readonly place: number; readonly block: Block },
): Promise<void> {
  const hits = new Map<string, string>();
  const { first, last } = numbersOf(at.block);
  for (let from = first; from <= last; from += MESSAGES_A_STEP) {
    const range = { first: from, last: from + MESSAGES_A_STEP - 1 };
    for (const { number, message } of await selectNumberRange(database.reader, range)) {
      for (const word of indexedWords(message, split)) {
        hits.set(word, (hits.get(word) ?? '') + hitOf(number, at.block.size));
      }
    }
    await pause();
  }
  // In the order of the index, so that each step changes few of its pages.
  const words = [...hits].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const statements = wordStatements(at, words);
  for (let done = 0; done < statements.length; done += STATEMENTS_A_STEP) {
    await run(database, statements.slice(done, done + STATEMENTS_A_STEP));
    await pause();
  }
}

function run(database: Database, statements: readonly Statement[]): Promise<void> {
  return database.transaction(async (tx) => {
    for (const statement of statements) await tx.run(statement);
  });
}
