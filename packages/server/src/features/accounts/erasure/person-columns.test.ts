import { mayNamePerson } from '@hearth/testing/person-columns';
import { expect, test } from 'bun:test';
import type { TableData } from '../../../ports/database/table-data.ts';
import { TABLES } from '../../../schema.ts';

const TABLES_BY_NAME: readonly (readonly [string, TableData])[] = Object.entries(TABLES);

test('[AC15] for every column that names a person it is known what deleting the account does with its rows', () => {
  const known = TABLES_BY_NAME.flatMap(([table, { people = {} }]) =>
    Object.entries(people).map(([column, erasure]) => [`${table}.${column}`, erasure?.rows]),
  );
  // A new column that names a person belongs here, and `people` of its table has to say what happens to its rows.
  expect(Object.fromEntries(known)).toEqual({
    'audit_entries.actor_id': 'kept',
    'audit_entries.target': 'emptied',
    'changes.subject': 'kept',
    'channel_mentions.subject_id': 'removed',
    'channel_messages.mentions': 'kept',
    'channel_messages.user_id': 'kept',
    'channel_overwrites.subject_id': 'removed',
    'channel_paces.user_id': 'removed',
    'comments.mentions': 'kept',
    'comments.user_id': 'kept',
    'communities.owner_id': 'kept',
    'community_bans.created_by': 'emptied',
    'community_bans.user_id': 'removed',
    'community_invites.created_by': 'emptied',
    'exports.user_id': 'removed',
    'guesses.key': 'kept',
    'invite_makers.user_id': 'removed',
    'jobs.key': 'kept',
    'jobs.payload': 'kept',
    'join_requests.user_id': 'removed',
    'kept_time_outs.user_id': 'removed',
    'mail_codes.user_id': 'removed',
    'member_names.user_id': 'removed',
    'member_points.user_id': 'removed',
    'member_roles.user_id': 'removed',
    'members.user_id': 'removed',
    'message_groups.messages': 'kept',
    'message_reactions.user_id': 'kept',
    'nonce_groups.nonces': 'kept',
    'notification_marks.user_id': 'removed',
    'notification_settings.user_id': 'removed',
    'notifications.author_id': 'kept',
    'notifications.user_id': 'removed',
    'outbox.entry': 'kept',
    'outbox.stream': 'kept',
    'outbox.subject': 'kept',
    'point_ledger.user_id': 'removed',
    'poll_votes.user_id': 'kept',
    'post_saves.user_id': 'removed',
    'post_visits.user_id': 'removed',
    'posts.mentions': 'kept',
    'posts.user_id': 'kept',
    'read_states.user_id': 'removed',
    'recovery_codes.user_id': 'removed',
    'registration_requests.user_id': 'removed',
    'sessions.user_id': 'emptied',
    'subjects.subject': 'kept',
    'totp.user_id': 'removed',
    'uploads.user_id': 'kept',
    'used_nonces.user_id': 'removed',
    'user_bytes.user_id': 'removed',
    'user_names.user_id': 'kept',
    'users.id': 'kept',
    'users.invited_by': 'emptied',
    'votes.author_id': 'kept',
    'votes.user_id': 'kept',
    'waiting_invites.created_by': 'emptied',
    'waiting_invites.user_id': 'removed',
  });
});

test('[AC15] no table names a person in another column', () => {
  const unknown = TABLES_BY_NAME.flatMap(([table, { columns, people = {} }]) =>
    Object.entries(columns)
      .filter(([column, kind]) => mayNamePerson(table, column, kind) && !people[column])
      .map(([column]) => `${table}.${column}`),
  );
  expect(unknown).toEqual([]);
});

test('[AC15] a table that refers to accounts says what happens to its rows, and why those that stay do', () => {
  for (const [table, { refersTo = [], people = {}, columns }] of TABLES_BY_NAME) {
    if (refersTo.includes('users'))
      expect([table, Object.keys(people).length > 0]).toEqual([table, true]);
    for (const [column, erasure] of Object.entries(people)) {
      expect(Object.keys(columns)).toContain(column);
      if (erasure?.rows === 'emptied') {
        expect(Object.keys(columns)).toEqual(expect.arrayContaining([...erasure.columns]));
      }
      if (erasure?.rows !== 'removed') expect(erasure?.because.length).toBeGreaterThan(20);
    }
  }
});
