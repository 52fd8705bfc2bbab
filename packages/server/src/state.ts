import type { Context } from './context.ts';
import {
  ChannelHomes,
  type KeepsChannelHomes,
  type KeepsCommunities,
  type KeepsExclusions,
  type KeepsMembers,
  type KeepsStandings,
  KnownCommunities,
  KnownExclusions,
  KnownMembers,
  Standings,
} from './features/communities/structure/structure.ts';
import { ShownPages, type KeepsShownPages } from './features/forum/comments/comments.ts';
import {
  CommunityActivity,
  type KeepsActivity,
} from './features/communities/communities/communities.ts';
import { OpenToJoin, type KeepsOpenToJoin } from './features/communities/members/members.ts';
import { GuessLimits, type KeepsGuesses } from './features/platform/guesses/guesses.ts';
import {
  SealedCursors,
  type KeepsSealedCursors,
} from './features/platform/sealed-cursors/sealed-cursors.ts';
import { MessageOrigins, type KeepsOrigins } from './features/accounts/moderation/moderation.ts';
import {
  UnsentNotifications,
  type KeepsUnsentNotifications,
} from './features/talk/notifications/notifications.ts';
import { PostOrders, type KeepsPostOrders } from './features/forum/post-lists/post-lists.ts';
import { CommentedPosts, type KeepsCommentedPosts } from './features/forum/posts/posts.ts';
import { Proofs, type KeepsProofs } from './features/accounts/proofs/proofs.ts';
import {
  TokenKeyring,
  Tokens,
  databaseKeys,
  fileKeys,
  type KeepsTokenKeys,
  type KeepsTokens,
} from './features/accounts/sessions/sessions.ts';
import { NamedFiles, type KeepsNamedFiles } from './features/files/uploads/uploads.ts';
import {
  KnownUsers,
  Passwords,
  ReservedNames,
  type KeepsPasswords,
  type KeepsReservedNames,
  type KeepsUsers,
  type PasswordsOptions,
} from './features/accounts/users/users.ts';
import { ScoreNews, type KeepsScores } from './features/forum/voting/voting.ts';

/** The state that features keep in memory while an instance runs. */
export interface State
  extends
    KeepsActivity,
    KeepsChannelHomes,
    KeepsCommentedPosts,
    KeepsCommunities,
    KeepsExclusions,
    KeepsGuesses,
    KeepsSealedCursors,
    KeepsMembers,
    KeepsNamedFiles,
    KeepsOpenToJoin,
    KeepsOrigins,
    KeepsPasswords,
    KeepsPostOrders,
    KeepsProofs,
    KeepsReservedNames,
    KeepsScores,
    KeepsShownPages,
    KeepsStandings,
    KeepsTokenKeys,
    KeepsTokens,
    KeepsUnsentNotifications,
    KeepsUsers {}

/** The parts of the state. Those that must be closed are added to `resources`. */
export interface StateParts extends Pick<
  Context,
  'clock' | 'database' | 'fileAddresses' | 'settings'
> {
  readonly resources: AsyncDisposableStack;
  /** The keys are in the database unless there is a file. */
  readonly tokenKeyFile?: string | undefined;
  /** For tests. */
  readonly passwords?: PasswordsOptions | undefined;
}

export function openState(parts: StateParts): State {
  const { clock, database, resources, settings, tokenKeyFile } = parts;
  const communities = new KnownCommunities(database);
  // Read when the first token is.
  const tokenKeys =
    tokenKeyFile === undefined ? databaseKeys(database) : fileKeys(tokenKeyFile, database);
  return {
    activity: new CommunityActivity(database),
    channelHomes: new ChannelHomes(database),
    commentedPosts: new CommentedPosts(database),
    communities,
    exclusions: new KnownExclusions(database),
    guesses: new GuessLimits({ database, clock }),
    sealedCursors: new SealedCursors(database),
    members: new KnownMembers(database),
    namedFiles: new NamedFiles(parts),
    names: resources.use(new ReservedNames({ database, clock })),
    openToJoin: new OpenToJoin(database, communities),
    origins: resources.use(new MessageOrigins(clock)),
    passwords: new Passwords(parts.passwords),
    postOrders: new PostOrders(),
    proofs: new Proofs({ database, clock, when: settings.registrationProof }),
    scores: new ScoreNews(),
    shownPages: new ShownPages(),
    standings: new Standings(database),
    tokenKeys,
    tokens: new Tokens(new TokenKeyring(tokenKeys, { database, clock }), clock),
    unsentNotifications: new UnsentNotifications(),
    users: new KnownUsers(database),
  };
}
