import { NEW_TURN_ROW } from '@hearth/testing/instances/new-channel-row';
import type { Database } from '../../packages/server/src/ports/database/database.ts';
import { storedId } from '../../packages/server/src/ports/database/stored-id.ts';
import { MESSAGE } from './message.ts';
import type { Statements } from './pgbench.ts';

/** The statements of a post to a channel, with values that `pgbench` makes. */
const SCRIPT = `\\set channel random(1, 64)
\\set id random(1, ${Number.MAX_SAFE_INTEGER})
begin isolation level read committed read write;
update turns set number = number + 1,
  last_id = case when last_id < repeat('9', 39) then lpad(:channel::text, 39, '0') else last_id end
  where id = lpad(:channel::text, 39, '0') and closed = 0 returning number, version, last_id;
insert into channel_messages (channel_id, id, user_id, content, created_at_ms,
  edited_at_ms, reply_to, mentions, files, reactions, pinned, version)
  values (lpad(:channel::text, 39, '0'), lpad(:id::text, 39, '0'), lpad(1::text, 39, '0'), '${MESSAGE.content}', 1700000000000, 0, '', '', '', '', 0, 1);
insert into read_states (user_id, community_id, channel_id, last_read_id) values (lpad(1::text, 39, '0'), lpad(1::text, 39, '0'), lpad(:channel::text, 39, '0'), lpad(:id::text, 39, '0'))
  on conflict (user_id, community_id, channel_id) do update set last_read_id = excluded.last_read_id;
insert into outbox (subject, number, stream, entry)
  values (:channel::text, :id, 'c:1', '${JSON.stringify({ event: { op: 'MESSAGE_CREATE', d: MESSAGE } })}');
commit;
`;

/** Makes the tables, and channels to post to. */
async function prepare(database: Database): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.run({ text: "set local session_replication_role = 'replica'", values: [] });
    for (let id = 1; id <= 64; id += 1) {
      await tx.sql
        .insertInto('turns')
        .values({ ...NEW_TURN_ROW, id: storedId(String(id)) })
        .execute();
    }
  });
}

/** The statements of a post to one of 64 channels. */
export const CHANNEL_STATEMENTS: Statements = { script: SCRIPT, prepare };
