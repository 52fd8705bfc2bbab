import type { Kysely } from 'kysely';

/** Adds a job that changes what is stored after a migration, once. Jobs of the kind add further ones as they go on. */
export async function addFirstJob(
  db: Kysely<unknown>,
  kind: string,
  payload: Readonly<Record<string, string>>,
): Promise<void> {
  await db
    .withTables<{ jobs: Readonly<Record<string, string | number>> }>()
    .insertInto('jobs')
    .values({
      id: kind,
      kind,
      payload: JSON.stringify(payload),
      state: 'waiting',
      created_at_ms: 0,
      due_at_ms: 0,
      attempts: 0,
      error: '',
      leased_by: '',
      leased_until_ms: 0,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}
