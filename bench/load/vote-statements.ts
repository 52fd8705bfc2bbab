import { seedCommunities } from '@hearth/testing/instances/seeded-communities';
import { addUsers } from '@hearth/testing/instances/many-users';
import { seededPosts, seedPosts } from '@hearth/testing/instances/seeded-posts';
import { formatId } from '@hearth/protocol';
import { LOCKS } from '../../packages/server/src/ports/database/postgres-locks.ts';
import { sortable } from '../../packages/server/src/ports/database/sortable-id.ts';
import type { Statements } from './pgbench.ts';

const POSTS = 64;
const USERS = 65;
const COMMUNITY = formatId({ seconds: 3, instanceId: 1, sequence: 0 });
const CHANNEL = seededPosts(0);
const AUTHOR = userAt(0);

/**
 * Returns the statements of a vote that counts, for one of so many posts: what people may do, the voter and their
 * membership are held, and the post is locked and read with the vote before.
 */
export function voteStatements(posts: 1 | typeof POSTS): Statements {
  return {
    script: `\\set voter random(1, ${USERS - 1})
\\set post random(1, ${posts})
\\set value random(0, 1)
begin isolation level read committed read write;
select pg_advisory_xact_lock_shared(${LOCKS.names}, hashtext('rules ${COMMUNITY}'));
select u.created_at_ms, m.version as member_version, c.structure_version
  from users u join members m on m.user_id = u.id join communities c on c.id = m.community_id
  where u.id = lpad(:voter::text, 39, '0') and u.state = 'active' and c.id = '${sortable(COMMUNITY)}'
  for no key update of u for share of m;
select p.id, p.id as post_id, p.channel_id, p.community_id, p.user_id, p.created_at_ms,
  p.last_comment_at_ms as active_at_ms, p.locked, p.upvotes, p.downvotes, v.value, v.points from posts p
  left join votes v on v.subject_id = p.id and v.user_id = lpad(:voter::text, 39, '0')
  where p.id = lpad(:post::text, 39, '0') for no key update of p;
\\if :value
insert into votes (subject_id, user_id, kind, channel_id, community_id, author_id, value, points, cast_at_ms)
  values (lpad(:post::text, 39, '0'), lpad(:voter::text, 39, '0'), 'post', '${sortable(CHANNEL)}', '${sortable(COMMUNITY)}', '${sortable(AUTHOR)}', 1, 0, 1700000000000)
  on conflict (subject_id, user_id)
  do update set value = excluded.value, points = excluded.points, cast_at_ms = excluded.cast_at_ms;
\\else
delete from votes where subject_id = lpad(:post::text, 39, '0') and user_id = lpad(:voter::text, 39, '0');
\\endif
update posts set hot = :value, active = :value, upvotes = :value, downvotes = 0, score = :value, controversial = 0
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
          "update members set user_id = lpad(cast(number as text), 39, '0') from (select id as old, row_number() over (order by id) - 1 as number from users) as all_of_them where user_id = old",
          "update users set id = lpad(cast(number as text), 39, '0') from (select id as old, row_number() over (order by id) - 1 as number from users) as all_of_them where id = old",
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
