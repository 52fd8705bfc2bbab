import {
  selectNote,
  writeNote,
} from '../../../server/src/features/operation/move-instance/store.ts';
import { createLogger } from '../../../server/src/log/logger.ts';
import { postgresDatabase } from '../../../server/src/engines/databases.ts';
import { embeddedData, fill, hashesOf, rowsOf } from '@hearth/testing/ports/moved-data';
import type { Home } from './home.ts';

/** The size of the moved data. */
export const SIZE = { contents: 30, uploads: 700, statics: 13, groups: 200 };

/** Rows and contents of an instance. */
export interface Data {
  readonly rows: Awaited<ReturnType<typeof rowsOf>>;
  readonly hashes: Awaited<ReturnType<typeof hashesOf>>;
}

/** Fills the data of the home and returns it. */
export async function filled(home: Home): Promise<Data> {
  await using data = await embeddedData(home.path('data'));
  await fill(data, SIZE);
  return { rows: await rowsOf(data.database), hashes: await hashesOf(data) };
}

/** Returns the data of the home. */
export async function stored(home: Home): Promise<Data> {
  await using data = await embeddedData(home.path('data'));
  return { rows: await rowsOf(data.database), hashes: await hashesOf(data) };
}

/** Marks the move to a database as unfinished. */
export async function noteUnfinished(address: string): Promise<void> {
  await using database = await postgresDatabase(address, { log: await createLogger('silent') });
  await database.transaction(async ({ sql: writer }) => {
    const note = await selectNote(writer);
    if (note !== undefined) await writeNote(writer, { ...note, state: 'unfinished' });
  });
}

/** All rows at the address of a PostgreSQL. */
export async function rowsAt(address: string): Promise<Data['rows']> {
  await using database = await postgresDatabase(address, { log: await createLogger('silent') });
  return await rowsOf(database);
}
