import type { ChannelKind, Permission } from '@hearth/protocol';

/** Permissions as they are shown, in their order. Each is in one group. */
export const PERMISSION_GROUPS = {
  everyday: ['VIEW', 'CHANGE_NICKNAME', 'CREATE_INVITES', 'USE_COMMANDS'],
  messages: ['SEND_MESSAGES', 'REACT'],
  posts: ['CREATE_POSTS', 'COMMENT', 'VOTE', 'VIEW_VOTES', 'EMBED_LINKS', 'AWARD_POINTS'],
  written: ['ATTACH_FILES', 'MENTION_ALL', 'BYPASS_SLOW_MODE', 'PIN', 'MANAGE_CONTENT'],
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
  'written',
  'people',
  'running',
] as const satisfies readonly PermissionGroup[];

/** Permissions that no verb of the server asks for yet. They are neither shown nor changed. */
export const NOT_YET: ReadonlySet<Permission> = new Set([
  'AWARD_POINTS',
  'HANDLE_REPORTS',
  'MANAGE_EMOJI',
  'MANAGE_RULES',
  'MANAGE_WEBHOOKS',
  'USE_COMMANDS',
]);

/** Permissions that no overwrite of a channel can name. */
export const NOT_OVERWRITABLE: ReadonlySet<Permission> = new Set([
  'ADMINISTRATOR',
  'MANAGE_ROLES',
  'MANAGE_CHANNELS',
]);

/** Permissions that mean nothing in a single channel. */
export const NOT_OF_CHANNELS: ReadonlySet<Permission> = new Set([
  ...NOT_OVERWRITABLE,
  'CHANGE_NICKNAME',
  'CREATE_INVITES',
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

/** The permissions of a group that decide about something in a community, in their order. */
export function permissionsIn(group: PermissionGroup): readonly Permission[] {
  return PERMISSION_GROUPS[group].filter((permission) => !NOT_YET.has(permission));
}

/** The permissions of a group that decide about something in a channel of a kind. A category passes all on to its channels. */
export function permissionsInChannel(
  group: PermissionGroup,
  kind: ChannelKind,
): readonly Permission[] {
  const other = kind === 'posts' ? 'messages' : 'posts';
  if (kind !== 'category' && group === other) return [];
  return permissionsIn(group).filter((permission) => !NOT_OF_CHANNELS.has(permission));
}
