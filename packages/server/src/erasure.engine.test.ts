import { formatId, type Id } from '@hearth/protocol';
import { communityTest } from '@hearth/testing/communities';
import { mayNamePerson } from '@hearth/testing/person-columns';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { expect, test } from 'bun:test';
import { sql, type RawBuilder } from 'kysely';
import { eraseAccount } from './features/accounts/erasure/erase-account.ts';
import { openHistory } from './features/talk/lobby/history.ts';
import type { InstanceContext } from './instance-context.ts';
import { ERASERS } from './lists/erasers.ts';
import { jsonLogger } from './log/logger.ts';
import type { Database, Transaction } from './ports/database/database.ts';
import { ownerOutbox } from './ports/outbox/outbox.ts';
import { isNumeric, type ColumnKind, type TableData } from './ports/database/table-data.ts';
import { TABLES } from './schema.ts';

const TABLES_BY_NAME: readonly (readonly [string, TableData])[] = Object.entries(TABLES);

/** A number that no row has by itself. */
const UNUSED = 900_000;

/** Tables of which each account or community has rows of its own, which name the person. */
const HAVE_ROWS: ReadonlySet<string> = new Set(['users', 'user_names', 'communities']);

const log = jsonLogger('error', (line) => expect(line).toBe(''));
const idOf = (sequence: number): Id => formatId({ seconds: 900_000, instanceId: 1, sequence });
const [MESSAGE, POST, COMMENT] = [idOf(1), idOf(2), idOf(3)];

/** A person, and a place in a community of somebody else. */
interface Seeded {
  readonly personId: Id;
  readonly otherId: Id;
  readonly communityId: Id;
  readonly channelId: Id;
  readonly roleId: Id;
  readonly nowMs: number;
}

/** Values without which features could not read a row. */
function valuesOf({ personId, communityId, channelId, roleId, nowMs }: Seeded) {
  const message = {
    id: MESSAGE,
    author: 'ada',
    content: 'hi',
    created_at: nowMs,
    user: { id: personId },
  };
  const mentions = JSON.stringify({ users: [personId] });
  return {
    every: {
      community_id: communityId,
      channel_id: channelId,
      role_id: roleId,
      message_id: MESSAGE,
      post_id: POST,
      subject_id: POST,
    },
    of: {
      audit_entries: { target: personId },
      channel_messages: { id: MESSAGE, kind: '', mentions, post_id: '' },
      channel_mentions: { subject_id: personId },
      channel_overwrites: { kind: 'member', subject_id: personId },
      comments: { id: COMMENT, parent_id: '', path: '000001', mentions },
      contents: { metadata: '{"type":"other"}' },
      message_groups: {
        first_id: MESSAGE,
        last_id: MESSAGE,
        newest_ms: nowMs,
        messages: JSON.stringify([message]),
      },
      nonce_groups: { nonces: JSON.stringify([personId, 'nonce', MESSAGE]) },
      polls: { options: '[{"id":"1","text":"Yes","votes":1}]' },
      poll_votes: { options: '["1"]' },
      posts: { id: POST, mentions, crosspost_of: '', from_channel_id: '', from_message_id: '' },
      votes: { kind: 'post', value: 1 },
    } as Readonly<Record<string, Readonly<Record<string, string | number>>>>,
  };
}

/** Columns that may be empty, and that features would have to be able to read otherwise. */
const EMPTY: ReadonlySet<string> = new Set(
  'files reactions tags post_settings reply_to accepted_comment_id newest_comment_id'.split(' '),
);

function rowOf(table: string, { columns, key }: TableData, seeded: Seeded) {
  const { every, of } = valuesOf(seeded);
  const given: Readonly<Record<string, string | number>> = { ...every, ...of[table] };
  const valueOf = (column: string, kind: ColumnKind) => {
    const own = of[table]?.[column];
    if (own !== undefined) return own;
    if (mayNamePerson(table, column, kind))
      return kind === 'id' ? seeded.personId : `u:${seeded.personId}`;
    if (isNumeric(kind)) return column === 'deleted_at_ms' ? 0 : key.includes(column) ? UNUSED : 1;
    if (EMPTY.has(column)) return '';
    return (
      given[column] ??
      (kind === 'id' ? idOf(10) : /^(blob|source)_key$/.test(column) ? 'blob' : '[]')
    );
  };
  const entries = Object.entries(columns);
  return Object.fromEntries(entries.map(([column, kind]) => [column, valueOf(column, kind)]));
}

/** Texts of somebody else that mention the person. */
const TEXTS_OF_OTHERS: Readonly<Record<string, Readonly<Record<string, Id | number | string>>>> = {
  channel_messages: { id: idOf(4) },
  comments: { id: idOf(5), number: 2, path: '000002' },
  posts: { id: idOf(6) },
};

/** Adds a row that names the person to every table that can have one. */
async function seed(database: Database, seeded: Seeded): Promise<void> {
  await database.transaction(async (tx) => {
    for (const [table, data] of TABLES_BY_NAME) {
      if (HAVE_ROWS.has(table)) continue;
      const row = rowOf(table, data, seeded);
      await insert(tx, table, row);
      const others = TEXTS_OF_OTHERS[table];
      if (others) await insert(tx, table, { ...row, ...others, user_id: seeded.otherId });
    }
  });
}

async function insert(
  tx: Transaction,
  table: string,
  row: Readonly<Record<string, string | number>>,
): Promise<void> {
  const columns = sql.join(Object.keys(row).map((column) => sql.ref(column)));
  const { rows } = await sql`insert into ${sql.table(table)} (${columns})
    values (${sql.join(Object.values(row))}) on conflict do nothing returning 1 as one`.execute(
    tx.sql,
  );
  expect([table, rows.length]).toEqual([table, 1]);
}

/** The columns that name a person in some row. */
async function namedIn({ reader }: Database, personId: Id): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [table, { columns }] of TABLES_BY_NAME) {
    const rows = await rowsOf(sql`select * from ${sql.table(table)}`);
    for (const [column, kind] of Object.entries(columns)) {
      if (isNumeric(kind)) continue;
      if (rows.some((row) => String(row[column]).includes(personId)))
        found.push(`${table}.${column}`);
    }
  }
  return found;

  async function rowsOf(query: RawBuilder<unknown>) {
    // Guarantee: rows are objects.
    return (await query.execute(reader)).rows as readonly Readonly<Record<string, unknown>>[];
  }
}

/** The columns that name a person. An account that owns a community cannot be deleted. */
const NAMED_BEFORE: readonly string[] = TABLES_BY_NAME.flatMap(([table, { people = {} }]) =>
  Object.keys(people).map((column) => `${table}.${column}`),
)
  .filter((column) => column !== 'communities.owner_id')
  .toSorted();

/** The columns in which a person stays named, as their tables say, with the reason. */
const STAYING: ReadonlySet<string> = new Set(
  TABLES_BY_NAME.flatMap(([table, { people = {} }]) =>
    Object.entries(people).flatMap(([column, erasure]) => {
      const isEmptied = erasure?.rows === 'emptied' && erasure.columns.includes(column);
      return erasure?.rows === 'removed' || isEmptied ? [] : [`${table}.${column}`];
    }),
  ),
);

/** Columns in which nothing that the person wrote is left. */
const NAMED_AFTERWARDS = [
  'audit_entries.actor_id',
  'audit_entries.target',
  'channel_messages.mentions',
  'comments.mentions',
  'guesses.key',
  'jobs.key',
  'jobs.payload',
  'nonce_groups.nonces',
  'posts.mentions',
  'sessions.user_id',
  'user_names.user_id',
  'users.id',
];

/** Columns that stay with the texts of the person. */
const NAMED_WITH_TEXTS = [
  'channel_messages.user_id',
  'comments.user_id',
  'message_groups.messages',
  'message_reactions.user_id',
  'posts.user_id',
];

/** Tables of the ports, which have what erasing announces. */
const OF_PORTS = /^(changes|subjects|outbox)\./;

const EXPECTED = {
  erase: NAMED_AFTERWARDS,
  keep: [...NAMED_AFTERWARDS, ...NAMED_WITH_TEXTS].toSorted(),
} as const;

onEachDatabase((open) => {
  for (const content of ['erase', 'keep'] as const) {
    test(`[AC15] after \`${content}\`, rows name the person only in tables that say why, and in no others`, async () => {
      await using own = await communityTest(open);
      const [ada, bob] = [await own.person('ada'), await own.person('bob')];
      const [personId, otherId] = [ada.user_id, bob.user_id];
      const { id: communityId, channels } = await own.garden(bob);
      const channelId = channels[0]?.id ?? communityId;
      const nowMs = own.clock.unixMs();
      const database = own.database.unchecked;
      await seed(database, {
        personId,
        otherId,
        communityId,
        channelId,
        roleId: communityId,
        nowMs,
      });
      await database.transaction(({ sql: db }) =>
        db.updateTable('users').set({ invited_by: personId }).where('id', '=', otherId).execute(),
      );
      const before = await namedIn(database, personId);
      expect(before.toSorted()).toEqual([...NAMED_BEFORE]);
      const bounds = { messages: 1_000, days: 1_000 };
      await using history = await openHistory({ database, clock: own.clock, log, bounds });
      // Guarantee: what is erased here needs nothing of an instance that the test does not have.
      const ctx = { ...own.ctx, history, database: ownerOutbox(own.database) } as InstanceContext;
      const job = eraseAccount(ctx, { erasers: ERASERS, tables: TABLES });
      const attempt = { id: '1', number: 1, signal: new AbortController().signal };
      await job.run({ user_id: personId, content }, attempt);
      const after = await namedIn(database, personId);
      expect(after.filter((column) => !STAYING.has(column))).toEqual([]);
      const ofFeatures = after.filter((column) => !OF_PORTS.test(column));
      expect(ofFeatures.toSorted()).toEqual([...EXPECTED[content]]);
    });
  }
});
