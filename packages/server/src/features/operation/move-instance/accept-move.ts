import type { Database } from '../../../ports/database/database.ts';
import { StartError } from '../../../lib/start-error.ts';
import { deleteNote, selectNote } from './store.ts';

/**
 * Makes what was moved to a database the instance's own, so that no move touches it any more. To be called at the
 * start of an instance on that database, and of an owner's command. Throws StartError if the move is unfinished.
 */
export async function acceptMove(database: Database): Promise<void> {
  const note = await selectNote(database.reader);
  if (note === undefined) return;
  if (note.state === 'unfinished') {
    throw new StartError(
      'DATABASE_URL: the move of an instance to this database is unfinished: run hearth migrate again to continue it',
    );
  }
  await database.transaction(({ sql }) => deleteNote(sql));
}
