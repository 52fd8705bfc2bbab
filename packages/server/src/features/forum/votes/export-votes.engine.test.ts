import { formatId, type Id } from '@hearth/protocol';
import { countTurns } from '@hearth/testing/count-turns';
import { trialDatabase } from '@hearth/testing/ports/trial-database';
import { scansOf } from '@hearth/testing/scans';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { expect, test } from 'bun:test';
import { votesOf } from './export-votes.ts';

const idOf = (sequence: number): Id => formatId({ seconds: 100, instanceId: 1, sequence });
const [ADA, BOB, CAROL, GARDEN] = [idOf(1), idOf(2), idOf(3), idOf(4)];

const POSTS = 1_200;
const AT_ONCE = 500;

const rowOf = (at: number, userId: Id) => ({
  subject_id: idOf(100 + at),
  user_id: userId,
  kind: 'post' as const,
  channel_id: GARDEN,
  community_id: GARDEN,
  author_id: CAROL,
  value: 1,
  points: 0,
  cast_at_ms: at,
});

/** Two people vote for each post, Ada for every third one, and many others for the first one. */
const ROWS = [
  ...Array.from({ length: POSTS }, (_, at) =>
    (at % 3 === 0 ? [ADA, BOB] : [BOB, CAROL]).map((userId) => rowOf(at, userId)),
  ).flat(),
  ...Array.from({ length: 2_200 }, (_, index) => rowOf(0, idOf(10_000 + index))),
];

onEachDatabase((open) => {
  test('[VO9] the votes of a person are found among thousands of others, each of them once', async () => {
    await using database = await open();
    for (let from = 0; from < ROWS.length; from += AT_ONCE) {
      const some = ROWS.slice(from, from + AT_ONCE);
      await database.transaction(({ sql }) => sql.insertInto('votes').values(some).execute());
    }
    const trial = trialDatabase(database);
    const turns = countTurns();
    const found: Id[] = [];
    for await (const { id } of votesOf(trial.reader, ADA)) found.push(id);
    const own = ROWS.filter((row) => row.user_id === ADA);
    expect(found).toEqual(own.map((row) => row.subject_id));
    const queries = trial.takeQueries();
    expect(scansOf(database, queries)).toEqual([]);
    // 4,600 votes are five steps of two queries, and others run after each.
    expect(queries).toHaveLength(10);
    expect(turns.stop()).toBeGreaterThanOrEqual(5);
  });
});
