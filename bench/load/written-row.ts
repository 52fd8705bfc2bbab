import type { Statement } from '../../packages/server/src/ports/database/database.ts';
import type { Migrations } from '../../packages/server/src/ports/database/table-data.ts';
import { MIGRATIONS } from '../../packages/server/src/schema.ts';

const COLUMNS = 'id, topic, name, content, created_at_ms';

const CONTENT = 'Good evening, everyone. The kettle is on, the chairs are by the fire, come in.';

const CHANNELS = 64;

/** The schema with a table like that of messages, of columns that the port stores as they are. */
export const WRITTEN_MIGRATIONS: Migrations = {
  ...MIGRATIONS,
  '900-written': {
    async up(db) {
      await db.schema
        .createTable('written')
        .addColumn('id', 'bigint', (column) => column.primaryKey())
        .addColumn('topic', 'text', (column) => column.notNull())
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('content', 'text', (column) => column.notNull())
        .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
        .execute();
    },
  },
};

/** Inserts a row with `values` of {@link nextRow}. */
export const INSERT_ROW = `insert into written (${COLUMNS}) values ($1, $2, $3, $4, $5)`;

/** Inserts a row with values that `pgbench` makes. */
export const PGBENCH_SCRIPT = `\\set id random(1, ${Number.MAX_SAFE_INTEGER})
\\set channel random(1, ${CHANNELS})
begin isolation level read committed read write;
insert into written (${COLUMNS})
  values (:id, :channel::text, 'ada', '${CONTENT}', 1700000000000);
commit;
`;

/** The values of a new row. */
export function nextRow(): Statement['values'] {
  const id = Math.floor(Math.random() * Number.MAX_SAFE_INTEGER);
  return [id, String(id % CHANNELS), 'ada', CONTENT, 1_700_000_000_000];
}
