import type { Migration } from 'kysely/migration';
import { auditTables } from './features/communities/audit/tables.ts';
import { communityInvitesTables } from './features/communities/community-invites/tables.ts';
import { contentsTables } from './features/platform/contents/tables.ts';
import { guessesTables } from './features/platform/guesses/tables.ts';
import { exportsTables } from './features/accounts/exports/tables.ts';
import { settingsTables } from './features/platform/settings/tables.ts';
import { jobsTables } from './features/platform/jobs/tables.ts';
import { joinRequestsTables } from './features/communities/join-requests/tables.ts';
import { linkPreviewsTables } from './features/files/link-previews/tables.ts';
import { lobbyTables } from './features/talk/lobby/tables.ts';
import { reactionsTables } from './features/talk/reactions/tables.ts';
import { mailCodesTables } from './features/accounts/mail-codes/tables.ts';
import { membersTables } from './features/communities/members/tables.ts';
import { channelMessagesTables } from './features/talk/messages/tables.ts';
import { writingTables } from './features/talk/writing/tables.ts';
import { mentionsTables } from './features/talk/mentions/tables.ts';
import { moderationTables } from './features/accounts/moderation/tables.ts';
import { turnsTables } from './features/platform/turns/tables.ts';
import { noncesTables } from './features/platform/nonces/tables.ts';
import { pageFilesTables } from './features/platform/page-files/tables.ts';
import { proofsTables } from './features/accounts/proofs/tables.ts';
import { readStatesTables } from './features/talk/read-states/tables.ts';
import { registrationTables } from './features/accounts/registration/tables.ts';
import { indexQueueTables } from './features/talk/index-queue/tables.ts';
import { searchTables } from './features/search/search/tables.ts';
import { secondFactorTables } from './features/accounts/second-factor/tables.ts';
import { sessionsTables } from './features/accounts/sessions/tables.ts';
import { staticsTables } from './features/files/statics/tables.ts';
import { structureTables } from './features/communities/structure/tables.ts';
import { uploadsTables } from './features/files/uploads/tables.ts';
import { usersTables } from './features/accounts/users/tables.ts';
import { commentsTables } from './features/forum/comments/tables.ts';
import { pointsTables } from './features/forum/points/tables.ts';
import { pollsTables } from './features/forum/polls/tables.ts';
import { postListsTables } from './features/forum/post-lists/tables.ts';
import { postsTables } from './features/forum/posts/tables.ts';
import { votesTables } from './features/forum/votes/tables.ts';
import type { Migrations, Row, TableData, TableList } from './ports/database/table-data.ts';
import type { Tables } from './ports/database/database.ts';
import { portTables } from './ports/database/tables.ts';
import { notificationSettingsTables } from './features/talk/notification-settings/tables.ts';
import { notificationsTables } from './features/talk/notifications/tables.ts';
import { outboxTables } from './ports/outbox/tables.ts';

/** Everything that is stored, by the features that store it: each after those whose tables its own refer to. */
const STORED = [
  portTables,
  outboxTables,
  settingsTables,
  usersTables,
  contentsTables,
  uploadsTables,
  staticsTables,
  lobbyTables,
  reactionsTables,
  moderationTables,
  searchTables,
  indexQueueTables,
  jobsTables,
  registrationTables,
  proofsTables,
  sessionsTables,
  secondFactorTables,
  mailCodesTables,
  noncesTables,
  guessesTables,
  exportsTables,
  turnsTables,
  structureTables,
  membersTables,
  communityInvitesTables,
  joinRequestsTables,
  readStatesTables,
  notificationSettingsTables,
  notificationsTables,
  auditTables,
  mentionsTables,
  writingTables,
  channelMessagesTables,
  postsTables,
  commentsTables,
  votesTables,
  pollsTables,
  pointsTables,
  postListsTables,
  linkPreviewsTables,
  pageFilesTables,
] as const;

type StoredTables = Intersection<RowsOf<(typeof STORED)[number]['tables']>>;

declare module './ports/database/database.ts' {
  interface Tables extends StoredTables {}
}

/** The description of every table. */
export const TABLES = allTables();

/** Every change of the schema, oldest first. Migrations of one name run together, in the order of the list. */
export const MIGRATIONS = allMigrations();

type RowsOf<Tables> = Tables extends TableList
  ? { readonly [Name in keyof Tables]: Row<Tables[Name]> }
  : never;

type Intersection<Union> = (Union extends unknown ? (each: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;

// Guarantee: the tables of every feature are there.
function allTables(): Readonly<Record<keyof Tables, TableData>> {
  return Object.fromEntries(STORED.flatMap(({ tables }) => Object.entries(tables))) as Readonly<
    Record<keyof Tables, TableData>
  >;
}

function allMigrations(): Migrations {
  const all = STORED.flatMap(({ migrations }) => Object.entries(migrations));
  const byName = Object.groupBy(all, ([name]) => name);
  const names = Object.keys(byName).toSorted();
  return Object.fromEntries(
    names.map((name) => [name, together((byName[name] ?? []).map(([, each]) => each))]),
  );
}

function together(migrations: readonly Migration[]): Migration {
  return {
    async up(db) {
      for (const migration of migrations) await migration.up(db);
    },
  };
}
