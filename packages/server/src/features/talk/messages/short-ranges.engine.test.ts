import { formatId, type Id } from '@hearth/protocol';
import { countTurns } from '@hearth/testing/count-turns';
import { trialDatabase } from '@hearth/testing/ports/trial-database';
import { scansOf } from '@hearth/testing/scans';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { expect, test } from 'bun:test';
import { selectMessagesOf, selectPlacesOf, shortRanges } from './store.ts';

const idOf = (sequence: number): Id => formatId({ seconds: 100, instanceId: 1, sequence });
const [ADA, BOB, GARDEN, POND] = [idOf(1), idOf(2), idOf(3), idOf(4)];

const MESSAGES = 2_500;
const AT_ONCE = 500;

/** Every third message is Ada's, and the channels take turns. */
function rowOf(at: number) {
  return {
    channel_id: at % 2 === 0 ? GARDEN : POND,
    id: idOf(100 + at),
    user_id: at % 3 === 0 ? ADA : BOB,
    content: `${at}`,
    created_at_ms: at,
    edited_at_ms: 0,
    reply_to: '',
    post_id: '',
    kind: '',
    mentions: '',
    files: '',
    reactions: '',
    pinned: 0,
    version: 1,
  } as const;
}

onEachDatabase((open) => {
  test('[CM20] the messages of a person are found among thousands of others, each of them once', async () => {
    await using database = await open();
    const rows = Array.from({ length: MESSAGES }, (_, at) => rowOf(at));
    for (let from = 0; from < MESSAGES; from += AT_ONCE) {
      const some = rows.slice(from, from + AT_ONCE);
      await database.transaction(({ sql }) =>
        sql.insertInto('channel_messages').values(some).execute(),
      );
    }
    const own = rows.filter((row) => row.user_id === ADA).map(({ id }) => id);
    const trial = trialDatabase(database);
    const { reader } = trial;
    const turns = countTurns();
    const found: Id[] = [];
    let ranges = 0;
    for await (const range of shortRanges(reader)) {
      ranges += 1;
      for (const { id } of await selectMessagesOf(reader, ADA, range)) found.push(id);
    }
    expect(ranges).toBe(3);
    // Others run after each range.
    expect(turns.stop()).toBeGreaterThanOrEqual(3);
    expect(found).toEqual(own);
    expect(scansOf(database, trial.takeQueries())).toEqual([]);
    const [after, upTo] = [idOf(100 + 600), idOf(100 + 2_400)];
    const between: Id[] = [];
    for await (const range of shortRanges(database.reader, { after, upTo })) {
      for (const { id } of await selectPlacesOf(database.reader, ADA, range)) between.push(id);
    }
    expect(between).toEqual(own.slice(201, 801));
  });
});
