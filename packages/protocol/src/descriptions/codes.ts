import type { DisconnectReason } from '../close-reasons.ts';
import type { ErrorCode } from '../error-codes.ts';
import type { Permission, StaffPermission } from '../permissions.ts';

/** The meaning of each code of an error. */
export const ERROR_CODES: Readonly<Record<ErrorCode, string>> = {
  busy: 'Too much is happening at the same place. Nothing was done: send the same request again after `retry_after`.',
  token_invalid: 'There is no token, or it is not one of this instance.',
  token_ended: 'The session of the token has ended. The person has to sign in again.',
  credentials_wrong: 'The name or the password is wrong.',
  factor_required: 'The account has a second factor: send a `code`, too.',
  factor_wrong: 'The code of the second factor is wrong, or was used already.',
  mail_unavailable: 'The instance sends no mail, or the account has no address.',
  verified: 'The address is verified already.',
  registration_closed: 'Nobody can register, or only people with an invite.',
  registration_blocked: 'Accounts cannot be registered from this network.',
  pending_approval: 'The staff has not accepted the account yet.',
  account_disabled: 'The staff has disabled the account.',
  permission_missing: 'The caller lacks the permission that `permission` names.',
  blocked_or_private: 'The person does not want this from the caller.',
  paused: 'The owner has paused this for everyone; `until` and `reason` say for how long, and why.',
  banned: 'The client is banned from the instance; `until` and `reason` say for how long, and why.',
  banned_here: 'The caller is banned from the community.',
  access_code: 'The instance needs its access code in the header `X-Access-Code`.',
  rank_too_low: 'It is about a role or a member that is not below the caller’s highest role.',
  role_denies: 'The role takes something away, so its members cannot take it off.',
  taken: 'Something else has this name, or this was done already.',
  join_closed: 'The community takes an invite, or a request to join.',
  not_author: 'Only the author may do this.',
  not_member: 'Only members of the community may do this.',
  not_owner: 'Only the owner of the community may do this.',
  community_deleted: 'The community was deleted, and can be restored by its owner.',
  owns_communities: 'The account owns communities, which have to be handed over or deleted first.',
  timed_out: 'A moderator has timed the caller out, until `until`.',
  too_many: 'There are as many as there may be. The message names the number.',
  wrong_state: 'It is not in the state that this needs.',
  post_locked: 'A moderator has locked the post: nobody may comment or vote.',
  downvotes_off: 'Nobody can vote down in this channel.',
  poll_ended: 'The poll has ended.',
  not_questions: 'Posts of this channel are not questions.',
};

/** The meaning of each permission of members of a community. */
export const PERMISSION_TEXTS: Readonly<Record<Permission, string>> = {
  ADMINISTRATOR: 'Do everything in the community, in every channel.',
  MANAGE_COMMUNITY: 'Change the community: name, description, pictures, visibility and the like.',
  MANAGE_ROLES:
    'Add, change, order and remove weaker roles, and give them to weaker members. Set overwrites.',
  MANAGE_CHANNELS: 'Add, change, order and remove channels and categories.',
  MANAGE_INVITES: 'See and revoke all invites, and accept people who ask to join.',
  MANAGE_EMOJI: 'Add and remove emoji of the community. Nothing uses it yet.',
  MANAGE_WEBHOOKS: 'Let other programs write here. Nothing uses it yet.',
  MANAGE_RULES: 'Change automatic rules. Nothing uses it yet.',
  VIEW_AUDIT_LOG: 'Read what moderators did.',
  VIEW_VOTES: 'See who votes for what. The audit log records it.',
  HANDLE_REPORTS: 'Handle what members report.',
  KICK: 'Remove weaker members, and accept people who ask to join.',
  BAN: 'Ban people, and lift bans.',
  TIMEOUT: 'Let weaker members only read for a while.',
  MANAGE_NICKNAMES: 'Change the nicknames of weaker members.',
  MANAGE_CONTENT: 'Delete what others wrote, read former texts, and lock posts.',
  PIN: 'Pin messages and posts.',
  AWARD_POINTS: 'Give points to members. Nothing uses it yet.',
  VIEW: 'See the channel, and read it. Without it, the channel does not exist for the member.',
  SEND_MESSAGES: 'Post messages, and show that one is writing.',
  CREATE_POSTS: 'Post in channels of the kind `posts`.',
  COMMENT: 'Comment on posts.',
  VOTE: 'Vote for posts and comments, and in polls.',
  REACT: 'React to messages.',
  ATTACH_FILES: 'Attach files to messages and posts.',
  EMBED_LINKS: 'Have previews of the addresses in what one writes.',
  MENTION_ALL: 'Mention everyone with `@all`, and roles that are not mentionable.',
  CREATE_INVITES: 'Make invites.',
  CHANGE_NICKNAME: 'Change one’s own nickname.',
  USE_COMMANDS: 'Use what bots offer. Nothing uses it yet.',
  BYPASS_SLOW_MODE: 'Write without waiting in channels with a slow mode.',
};

/** The meaning of each permission of the staff. */
export const STAFF_PERMISSION_TEXTS: Readonly<Record<StaffPermission, string>> = {
  MANAGE_INSTANCE: 'Change what concerns the whole instance.',
  MANAGE_USERS: 'Manage accounts, and who may register.',
  MANAGE_COMMUNITIES: 'Manage communities.',
  HANDLE_REPORTS: 'Handle what people report to the staff.',
  VIEW_AUDIT_LOG: 'Read what the staff did.',
  MANAGE_PEERS: 'Manage other instances that this one knows.',
};

/** The meaning of each reason for the end of a connection. */
export const DISCONNECT_TEXTS: Readonly<Record<DisconnectReason, string>> = {
  dead: 'No PING came in time, or, on profile 2, no AUTHENTICATE.',
  rate_limited: 'There are too many connections, or too many or too large payloads.',
  too_slow: 'Too much was waiting for the client.',
  full: 'As many clients are connected as the instance can hold.',
  shutdown: 'The instance is stopping, and may be back soon.',
  banned: 'The client is banned. `ban` says for how long, and why.',
  access_code: 'The instance needs its access code.',
  unauthorized: 'The token is not valid, or the session has ended.',
  server_error: 'The instance failed.',
};
