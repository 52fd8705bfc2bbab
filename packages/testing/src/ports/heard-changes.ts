import type { Change, Database } from '../../../server/src/ports/database/database.ts';

/** Every change that a handle is told of from now on, as `kind id`, or `unknown`; looks whenever it is called. */
export function heardChanges(database: Database): () => readonly string[] {
  const heard: string[] = [];
  database.hearChanges();
  database.onChange((changes) => heard.push(...namesOf(changes)));
  return () => {
    database.hearChanges();
    return heard;
  };
}

function namesOf(changes: readonly Change[] | 'unknown'): readonly string[] {
  return changes === 'unknown' ? [changes] : changes.map(({ kind, id }) => `${kind} ${id}`);
}
