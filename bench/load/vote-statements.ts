import { seedCommunities } from '@hearth/testing/instances/seeded-communities';
import { addUsers } from '@hearth/testing/instances/many-users';
import { seededPosts, seedPosts } from '@hearth/testing/instances/seeded-posts';
import { formatId } from '@hearth/protocol';
import type { Statements } from './pgbench.ts';

const POSTS = 64;
const USERS = 65;
const COMMUNITY = formatId({ seconds: 3, instanceId: 1, sequence: 0 });
const CHANNEL = seededPosts(0);
const AUTHOR = userAt(0);

/**
 * What a vote does that counts, for one of so many posts: the voter and the post are locked, and what they may do and how
 * they voted before is read.
 */
export function voteStatements(posts: 1 | typeof POSTS): Statements {
  return {
    script: `\\set voter random(1, ${USERS - 1})
\\set post random(1, ${posts})
\\set value random(0, 1)
begin isolation level read committed read write;
select id, username, display_name, state, created_at_ms from users where id = :voter::text for update;
select m.version, c.version from members m, channels c
  where m.community_id = '${COMMUNITY}' and m.user_id = '${AUTHOR}' and c.id = '${CHANNEL}' for share;
select id, channel_id, community_id, user_id, created_at_ms, last_comment_at_ms, locked, upvotes, downvotes
  from posts where id = lpad(:post::text, 39, '0') for update;
select value, points from votes where subject_id = lpad(:post::text, 39, '0') and user_id = lpad(:voter::text, 39, '0');
insert into votes (subject_id, user_id, kind, channel_id, community_id, author_id, value, points, cast_at_ms)
  values (lpad(:post::text, 39, '0'), lpad(:voter::text, 39, '0'), 'post', '${CHANNEL}', '${COMMUNITY}', '${AUTHOR}', 1 - 2 * :value, 0, 1700000000000)
  on conflict (subject_id, user_id) do update set value = excluded.value, cast_at_ms = excluded.cast_at_ms;
update posts set upvotes = :value, downvotes = 0, score = :value, hot = :value, active = :value, controversial = 0
  where id = lpad(:post::text, 39, '0');
commit;
`,
    async prepare(database) {
      await addUsers(database, USERS);
      const communities = await seedCommunities(database, {
        communities: 1,
        members: USERS,
        messages: 0,
      });
      await seedPosts(database, communities, { user: AUTHOR, posts: POSTS });
      // Short ids, which pgbench can count.
      await database.transaction(async (tx) => {
        await tx.run({ text: "set local session_replication_role = 'replica'", values: [] });
        for (const text of [
          'update users set id = cast(number as text) from (select id as old, row_number() over (order by id) - 1 as number from users) as all_of_them where id = old',
          "update posts set id = lpad(cast(number as text), 39, '0') from (select id as old, row_number() over (order by id) as number from posts) as all_of_them where id = old",
        ] as const) {
          await tx.run({ text, values: [] });
        }
      });
    },
  };
}

function userAt(sequence: number) {
  return formatId({ seconds: 1, instanceId: 1, sequence });
}
