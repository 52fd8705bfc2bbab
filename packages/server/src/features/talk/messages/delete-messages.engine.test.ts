import { formatId, type Id } from '@hearth/protocol';
import { communityTest } from '@hearth/testing/communities';
import { trialDatabase } from '@hearth/testing/ports/trial-database';
import { scansOf } from '@hearth/testing/scans';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { expect, test } from 'bun:test';
import { ownerOutbox } from '../../../ports/outbox/outbox.ts';
import { deleteMessagesOf } from './delete-messages.ts';

const idOf = (sequence: number): Id => formatId({ seconds: 100, instanceId: 1, sequence });

const MESSAGES = 20_000;
const OWN_EVERY = 200;
const AT_ONCE = 1_000;

onEachDatabase((open) => {
  test('[CM20] a hundred messages of a person among thousands of others are removed at once', async () => {
    await using own = await communityTest(open);
    const [ada, bob] = [await own.person('ada'), await own.person('bob')];
    const garden = await own.garden(ada, { visibility: 'public' });
    const channelId = garden.channels[0]?.id ?? expect.unreachable();
    const rowOf = (at: number) => ({
      channel_id: channelId,
      id: idOf(100 + at),
      user_id: at % OWN_EVERY === 0 ? bob.user_id : ada.user_id,
      content: '',
      created_at_ms: at,
      edited_at_ms: 0,
      reply_to: '' as const,
      post_id: '' as const,
      kind: '' as const,
      mentions: '',
      files: '',
      reactions: '',
      pinned: 0,
      version: 1,
    });
    const rows = Array.from({ length: MESSAGES }, (_, at) => rowOf(at));
    const store = async (of: typeof rows) => {
      for (let from = 0; from < of.length; from += AT_ONCE) {
        const values = of.slice(from, from + AT_ONCE);
        await own.database.transaction(({ sql }) =>
          sql.insertInto('channel_messages').values(values).execute(),
        );
      }
    };
    await store(rows);
    const ofBob = rows.filter((row) => row.user_id === bob.user_id);
    const ids = ofBob.map(({ id }) => id);
    const trial = trialDatabase(own.database);
    const ctx = { ...own.ctx, database: ownerOutbox(trial) };
    const { signal } = new AbortController();
    for (const where of [{ communityId: garden.id }, { communityId: undefined }]) {
      await own.database.transaction(({ sql }) => sql.deleteFrom('outbox').execute());
      trial.takeQueries();
      await deleteMessagesOf(ctx, { userId: bob.user_id, signal, ...where });
      const queries = trial.takeQueries().filter((text) => text.includes('"channel_messages"'));
      const deletions = queries.filter((text) => text.startsWith('delete'));
      expect(deletions).toHaveLength(1);
      expect(scansOf(own.database, queries)).toEqual([]);
      if (where.communityId !== undefined) {
        // The messages of other communities are not looked through.
        expect(queries.filter((text) => !text.includes('"channel_id" = '))).toEqual([]);
      }
      const emitted = await own.database.reader.selectFrom('outbox').selectAll().execute();
      const events = emitted.map(({ entry }) => JSON.parse(entry).event);
      expect(events).toEqual([{ op: 'MESSAGE_DELETE_MANY', d: { channel_id: channelId, ids } }]);
      await store(ofBob);
    }
  }, 30_000);
});
