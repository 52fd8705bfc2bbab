import { sql } from 'kysely';
import { expect, test } from 'bun:test';
import { errorMessage } from '../../../server/src/lib/error-code.ts';
import { onEachDatabase } from '../servers/each-database.ts';

/** Statements about rows that are not there; what they would lock is the same. */
const REFER = sql`update communities set owner_id = '1' where id = '1'`;
const ADD = sql`insert into members (community_id, user_id, nickname, joined_at_ms, timed_out_until_ms, version)
  select '1', '1', '', 0, 0, 1 where false`;
const HOLD = sql`select id from users where id = '1' for no key update`;
const LOCK = sql`select u.id from users u join sessions s on s.user_id = u.id for update of u`;
const SHARE = sql`select id from users for share`;
const CHANGE_KEY = sql`update "users" set "bio" = '', "email_key" = null where id = '1'`;
const CHANGE = sql`update users set bio = '', version = version + 1 where id = '1'`;
const REMOVE = sql`delete from users where id = '1'`;

onEachDatabase((open, engine) => {
  if (engine === 'sqlite') return;

  test('[SC26] a transaction of a test is rejected if it locks a row more strongly than before, such as after a foreign key', async () => {
    await using database = await open();
    const inOrder = async (...statements: readonly (typeof LOCK)[]) => {
      try {
        await database.transaction(async (tx) => {
          for (const statement of statements) await statement.execute(tx.sql);
        });
        return 'allowed';
      } catch (error) {
        const text = errorMessage(error);
        return /^rows of users are locked for (.*?):/.exec(text)?.[1] ?? text;
      }
    };
    expect(await inOrder(REFER, LOCK)).toBe('update after key share');
    expect(await inOrder(REFER, HOLD)).toBe('no key update after key share');
    expect(await inOrder(ADD, CHANGE)).toBe('no key update after key share');
    expect(await inOrder(SHARE, CHANGE)).toBe('no key update after share');
    expect(await inOrder(HOLD, CHANGE_KEY)).toBe('update after no key update');
    expect(await inOrder(HOLD, REMOVE)).toBe('update after no key update');
    expect(await inOrder(LOCK, REFER, CHANGE_KEY, REMOVE)).toBe('allowed');
    expect(await inOrder(HOLD, ADD, CHANGE, SHARE)).toBe('allowed');
  });
});
