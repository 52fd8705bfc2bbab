import type { Permission } from '@hearth/protocol';

/** Permissions as they are shown, in their order. Each is in one group. */
export const PERMISSION_GROUPS = {
  everyday: ['VIEW', 'CHANGE_NICKNAME', 'CREATE_INVITES', 'USE_COMMANDS'],
  messages: [
    'SEND_MESSAGES',
    'REACT',
    'ATTACH_FILES',
    'EMBED_LINKS',
    'MENTION_ALL',
    'BYPASS_SLOW_MODE',
    'PIN',
    'MANAGE_CONTENT',
  ],
  posts: ['CREATE_POSTS', 'COMMENT', 'VOTE', 'VIEW_VOTES', 'AWARD_POINTS'],
  people: ['KICK', 'BAN', 'TIMEOUT', 'MANAGE_NICKNAMES'],
  running: [
    'MANAGE_COMMUNITY',
    'MANAGE_ROLES',
    'MANAGE_CHANNELS',
    'MANAGE_INVITES',
    'MANAGE_EMOJI',
    'MANAGE_WEBHOOKS',
    'MANAGE_RULES',
    'VIEW_AUDIT_LOG',
    'HANDLE_REPORTS',
    'ADMINISTRATOR',
  ],
} as const satisfies Readonly<Record<string, readonly Permission[]>>;

/** The name of a group. */
export type PermissionGroup = keyof typeof PERMISSION_GROUPS;

/** The groups, in their order. */
export const GROUP_NAMES = [
  'everyday',
  'messages',
  'posts',
  'people',
  'running',
] as const satisfies readonly PermissionGroup[];

/** What decides about nothing yet: it comes with posts, emoji of a community, bots and rules. It is neither shown nor changed. */
export const NOT_YET: ReadonlySet<Permission> = new Set([
  ...PERMISSION_GROUPS.posts,
  'USE_COMMANDS',
  'EMBED_LINKS',
  'MANAGE_EMOJI',
  'MANAGE_WEBHOOKS',
  'MANAGE_RULES',
]);

/** The permissions of a group that decide about something, in their order. */
export function permissionsIn(group: PermissionGroup): readonly Permission[] {
  return PERMISSION_GROUPS[group].filter((permission) => !NOT_YET.has(permission));
}

/** What no overwrite of a channel can name. */
export const NOT_OVERWRITABLE: ReadonlySet<Permission> = new Set([
  'ADMINISTRATOR',
  'MANAGE_ROLES',
  'MANAGE_CHANNELS',
]);

/** What means nothing in a single channel. */
export const NOT_OF_CHANNELS: ReadonlySet<Permission> = new Set([
  ...NOT_OVERWRITABLE,
  'CHANGE_NICKNAME',
  'MANAGE_COMMUNITY',
  'MANAGE_EMOJI',
  'MANAGE_RULES',
  'VIEW_AUDIT_LOG',
  'HANDLE_REPORTS',
  'KICK',
  'BAN',
  'TIMEOUT',
  'MANAGE_NICKNAMES',
  'MANAGE_INVITES',
]);
