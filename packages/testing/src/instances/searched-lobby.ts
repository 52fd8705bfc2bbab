import { formatId } from '@hearth/protocol';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { insertStatement } from '../../../server/src/features/talk/lobby/store.ts';
import { systemClock } from '../../../server/src/lib/clock.ts';
import { sqliteDatabase } from '../../../server/src/engines/databases.ts';
import { indexSearch } from './index-search.ts';
import { randomNumbers, someText } from './searched-words.ts';

/** The author of every hundredth message. */
export const AUTHOR = 'user42';

const AUTHORS = 100;
const MESSAGES_AT_ONCE = 4_096;

/** Writes messages into the data of an instance in a folder, and indexes them. */
export async function writeLobby(folder: string, count: number): Promise<void> {
  const data = join(folder, 'data');
  await mkdir(data, { mode: 0o700 });
  await using database = await sqliteDatabase(join(data, 'hearth.sqlite'));
  const random = randomNumbers();
  for (let first = 1; first <= count; first += MESSAGES_AT_ONCE) {
    const length = Math.min(MESSAGES_AT_ONCE, count - first + 1);
    const messages = Array.from({ length }, (_, at) => stored(first + at, random));
    await database.transaction((tx) => tx.run(insertStatement(messages).statement));
  }
  await indexSearch({ database, clock: systemClock });
}

function stored(number: number, random: () => number) {
  const id = formatId({ seconds: 1_000_000 + number, instanceId: 1, sequence: 0 });
  const author = `user${number % AUTHORS}`;
  return { number, message: { id, author, content: someText(random), created_at: Date.now() } };
}
