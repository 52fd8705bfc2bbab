import { formatId, type Id } from '@hearth/protocol';
import { fakeClock } from '@hearth/testing/fake-clock';
import { onEachDatabase, type TestDatabase } from '@hearth/testing/servers/each-database';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { END_REQUIREMENTS } from '../../../lists/end-requirements.ts';
import { JOINING_INVITES } from '../../../lists/joining-invites.ts';
import { PERSON_ANNOUNCERS } from '../../../lists/person-announcers.ts';
import { PUBLIC_FILES } from '../../../lists/public-files.ts';
import { TABLES } from '../../../schema.ts';
import { ownerOutbox } from '../../../ports/outbox/outbox.ts';
import { insertUser, selectUser } from '../users/store.ts';
import { takeName } from '../users/names/store.ts';
import { NO_PERMISSIONS } from '../users/staff-permissions.ts';
import { insertSession, selectSessions } from '../sessions/store.ts';
import { endAccount, type EndingContext } from '../own-account/end-account.ts';
import { eraseRows } from './erase-account.ts';

const YEAR_MS = 365 * 86_400_000;
const NOW_MS = 1_800_000_000_000;
/** The context that ending an account takes of an instance. */
const ENDING: EndingContext = {
  clock: fakeClock(NOW_MS),
  endRequirements: END_REQUIREMENTS,
  joiningInvites: JOINING_INVITES,
  personAnnouncers: PERSON_ANNOUNCERS,
  publicFiles: PUBLIC_FILES,
};
const idOf = (sequence: number): Id => formatId({ seconds: 100, instanceId: 1, sequence });
const [ADA, BOB] = [idOf(1), idOf(2)];

onEachDatabase((open) => {
  describe('[AC15] a deleted account', () => {
    let database: TestDatabase;
    beforeEach(async () => {
      database = await open();
      await database.transaction(async (tx) => {
        const { sql } = tx;
        for (const [id, username] of [
          [ADA, 'ada'],
          [BOB, 'bob'],
        ] as const) {
          const email = `${username}@example.org`;
          await insertUser(sql, {
            id,
            username,
            display_name: username,
            email,
            email_key: email,
            password_hash: 'hash',
            state: 'active',
            staff_permissions: NO_PERMISSIONS,
            created_at_ms: NOW_MS,
          });
          await takeName(tx, { skeleton: username, username, userId: id, nowMs: NOW_MS });
        }
      });
    });
    afterEach(() => database[Symbol.asyncDispose]());

    const begin = async (sequence: number, userId: Id) =>
      database.transaction(({ sql }) =>
        insertSession(sql, {
          id: idOf(sequence),
          userId,
          secretHash: `hash ${sequence}`,
          client: { name: 'hearth web', platform: 'Linux' },
          addressHint: '192.0.2.0/24',
          nowMs: NOW_MS,
        }),
      );
    const end = (id: Id) =>
      ownerOutbox(database).transaction((tx) =>
        endAccount(tx, ENDING, { id, content: 'keep', release: async () => {} }),
      );
    const signal = new AbortController().signal;

    test('a deleted account has nothing of its person any more, no sessions, and can be deleted once', async () => {
      for (let each = 0; each < 3; each += 1) await begin(10 + each, ADA);
      await begin(20, BOB);
      expect(await end(ADA)).toBe(true);
      expect(await end(ADA)).toBe(false);
      const user = await selectUser(database.reader, ADA);
      const { id: _id, ...rest } = user ?? {};
      expect(user).toMatchObject({ id: ADA, state: 'deleted', created_at_ms: NOW_MS });
      expect(JSON.stringify(rest)).not.toMatch(/ada|example|"hash"/i);
      expect(await selectSessions(database.reader, ADA)).toEqual([]);
      expect(await selectSessions(database.reader, BOB)).toHaveLength(1);
      expect(await selectUser(database.reader, BOB)).toMatchObject({ username: 'bob', version: 1 });
    });

    test('a deleted account is erased at once, and once more for what requests wrote that had begun before', async () => {
      await end(ADA);
      const jobs = await database.reader
        .selectFrom('jobs')
        .select(['kind', 'payload', 'due_at_ms'])
        .orderBy('due_at_ms')
        .execute();
      const payload = JSON.stringify({ user_id: ADA, content: 'keep' });
      expect(jobs.map((job) => ({ ...job, due_at_ms: Number(job.due_at_ms) }))).toEqual([
        { kind: 'erase-account', payload, due_at_ms: NOW_MS },
        { kind: 'erase-account', payload, due_at_ms: NOW_MS + 3_600_000 },
      ]);
    });

    test('a deleted account keeps its name for a year, and others cannot look like it until then', async () => {
      await end(ADA);
      const take = (nowMs: number) =>
        database.transaction((tx) =>
          takeName(tx, { skeleton: 'ada', username: 'ada', userId: BOB, nowMs }),
        );
      expect(await take(NOW_MS + YEAR_MS - 1)).toBe(false);
      expect(await take(NOW_MS + YEAR_MS)).toBe(true);
    });

    test('a deleted account loses what rows say of its person, more than 1,000 at a time, and no row of others', async () => {
      await begin(100, ADA);
      await database.transaction(async ({ sql }) => {
        const one = await sql.selectFrom('sessions').selectAll().executeTakeFirstOrThrow();
        const others = Array.from({ length: 1_002 }, (_, each) => ({
          ...one,
          id: idOf(101 + each),
        }));
        await sql.insertInto('sessions').values(others).execute();
      });
      await begin(20, BOB);
      await eraseRows(database, TABLES, { personId: ADA, signal });
      const rows = await database.reader
        .selectFrom('sessions')
        .select(['user_id', 'client_name', 'client_platform', 'address_hint'])
        .distinct()
        .orderBy('user_id')
        .execute();
      expect(rows).toEqual([
        { user_id: ADA, client_name: '', client_platform: '', address_hint: '' },
        {
          user_id: BOB,
          client_name: 'hearth web',
          client_platform: 'Linux',
          address_hint: '192.0.2.0/24',
        },
      ]);
    });

    test('a deleted account is not erased further if the process stops', async () => {
      await begin(10, ADA);
      const stopped = AbortSignal.abort(new Error('the process stops'));
      await expect(eraseRows(database, TABLES, { personId: ADA, signal: stopped })).rejects.toThrow(
        'stops',
      );
    });
  });
});
