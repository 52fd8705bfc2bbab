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
const KEEP = sql`select id from communities where id = '1' for key share`;
const LOCK_COMMUNITY = sql`select id from communities where id = '1' for no key update`;
const TURN = sql`update turns set number = number + 1 where id = ${'1'}`;
const LATER_TURN = sql`update "turns" set "version" = 2 where "id" = ${'2'}`;
const TURN_OF_ALL = sql`select id from turns where id > '0' order by id for update`;
const POST = sql`select id from posts where id = '1' for update`;
const BOTH = sql`select 1 from posts p join members m on true for update of p for share of m`;
const NONCE = sql`insert into used_nonces (user_id, place, nonce, result_id, used_at_ms)
  select '1', '1', '', '1', 0 where false on conflict (user_id, place, nonce) do update set used_at_ms = 0`;
const CORRECT = sql`update used_nonces set result_id = '2' where user_id = '1'`;
const ROLE = sql`update roles set name = '' where id = '1'`;
const OWNERLESS = sql`insert into uploads (id, bucket, blob_key, name, spoiler, uploaded_at_ms, user_id)
  values (${'1'}, ${''}, ${''}, ${''}, ${0}, ${0}, ${null})`;

onEachDatabase((open, engine) => {
  if (engine === 'sqlite') return;

  /** Resolves with why a transaction that runs these was rejected. A text is a name that it holds. */
  const inOrder = async (...statements: readonly (typeof LOCK | string)[]) => {
    await using database = await open();
    try {
      await database.transaction(async (tx) => {
        for (const statement of statements) {
          if (typeof statement === 'string') await tx.hold(statement, 'shared');
          else await statement.execute(tx.sql);
        }
      });
      return 'allowed';
    } catch (error) {
      const text = errorMessage(error);
      const shown = /^(?:rows of users are locked for )?(.*?):/.exec(text)?.[1];
      return shown ?? text;
    }
  };

  test('[SC26] a transaction of a test is rejected if it locks a row more strongly than before, such as after a foreign key', async () => {
    expect(await inOrder(REFER, LOCK)).toBe('update after key share');
    expect(await inOrder(REFER, HOLD)).toBe('no key update after key share');
    expect(await inOrder(ADD, CHANGE)).toBe('no key update after key share');
    expect(await inOrder(SHARE, CHANGE)).toBe('no key update after share');
    expect(await inOrder(HOLD, CHANGE_KEY)).toBe('update after no key update');
    expect(await inOrder(HOLD, REMOVE)).toBe('update after no key update');
    expect(await inOrder(LOCK_COMMUNITY, LOCK, REFER, CHANGE_KEY, REMOVE)).toBe('allowed');
    expect(await inOrder(KEEP, HOLD, ADD, CHANGE, SHARE)).toBe('allowed');
  });

  test('[SC40] a transaction of a test is rejected if it takes a lock of a lower rank than it has, such as by a foreign key', async () => {
    expect(await inOrder(HOLD, TURN)).toBe('turns (place) must be locked before users (account)');
    expect(await inOrder(TURN, 'rules 1')).toBe(
      'rules 1 (rules of a community) must be locked before turns (place)',
    );
    expect(await inOrder(KEEP, 'rules 1')).toBe(
      'rules 1 (rules of a community) must be locked before communities (community)',
    );
    expect(await inOrder(TURN, NONCE)).toBe(
      'used_nonces (nonce) must be locked before turns (place)',
    );
    expect(await inOrder(KEEP, POST, ADD)).toBe(
      'users (account) must be locked before posts (rows)',
    );
    expect(await inOrder(POST, BOTH)).toBe('members (account) must be locked before posts (rows)');
    expect(await inOrder(NONCE, 'rules 1', KEEP, TURN, HOLD, POST, CORRECT)).toBe('allowed');
    expect(await inOrder(POST, OWNERLESS)).not.toContain('must be locked before');
    expect(await inOrder(LOCK_COMMUNITY, POST, ROLE)).toBe('allowed');
    expect(await inOrder(LATER_TURN, TURN)).toBe('channel 1 must be locked before channel 2');
    expect(await inOrder(TURN, LATER_TURN, TURN)).toBe('allowed');
    expect(await inOrder(TURN_OF_ALL, LATER_TURN, TURN)).toBe('allowed');
    expect(await inOrder(ROLE, TURN)).toBe('turns (place) must be locked before roles (community)');
    expect(await inOrder(KEEP, POST, ROLE)).toBe(
      'roles (community) must be locked before posts (rows)',
    );
  });
});
