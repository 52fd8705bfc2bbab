import type { Change, Database } from '../../../server/src/ports/database/database.ts';

/** Collects every change that a handle reports from now on, as `kind id` or `unknown`. Each call checks for new ones. */
export function recordChanges(database: Database): () => readonly string[] {
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
