import type { Permission } from '@hearth/protocol';

interface Explained {
  readonly name: string;
  readonly hint: string;
}

/** The names of permissions, and what they let somebody do. */
export const enPermissions = {
  groups: {
    everyday: 'Everyday',
    messages: 'Messages',
    posts: 'Posts',
    written: 'Messages and posts',
    people: 'People',
    running: 'Running the community',
  },
  names: {
    VIEW: { name: 'See channels', hint: 'Without it, nothing else is possible.' },
    CHANGE_NICKNAME: { name: 'Change own name', hint: 'Be called something else here.' },
    CREATE_INVITES: { name: 'Make invites', hint: 'Invite people to the community.' },
    USE_COMMANDS: { name: 'Use commands', hint: 'Use what bots offer.' },
    SEND_MESSAGES: { name: 'Write messages', hint: 'In channels for conversations.' },
    REACT: { name: 'React', hint: 'Add emoji to messages.' },
    ATTACH_FILES: { name: 'Attach files', hint: 'Send pictures and other files.' },
    EMBED_LINKS: {
      name: 'Show previews of links',
      hint: 'Their posts show a preview of the address that they link to.',
    },
    MENTION_ALL: { name: 'Mention everyone', hint: '@all and all roles notify their people.' },
    BYPASS_SLOW_MODE: { name: 'Ignore slow mode', hint: 'Write without waiting.' },
    PIN: { name: 'Pin', hint: 'Pin messages and posts.' },
    MANAGE_CONTENT: {
      name: 'Moderate what others write',
      hint: 'Delete what others write, lock and mark their posts, and see earlier versions.',
    },
    CREATE_POSTS: { name: 'Write posts', hint: 'In channels for posts.' },
    COMMENT: { name: 'Comment', hint: 'Reply to posts and comments.' },
    VOTE: { name: 'Vote', hint: 'Vote for and against posts and comments.' },
    VIEW_VOTES: { name: 'See who voted', hint: 'Every time is recorded in the audit log.' },
    AWARD_POINTS: { name: 'Award points', hint: 'Give points to members.' },
    KICK: { name: 'Remove members', hint: 'They can come back if they can join.' },
    BAN: { name: 'Ban', hint: 'Keep people out.' },
    TIMEOUT: { name: 'Time out', hint: 'Stop members from writing for a while.' },
    MANAGE_NICKNAMES: { name: 'Change names of others', hint: 'Of members with lower roles.' },
    MANAGE_COMMUNITY: {
      name: 'Change the community',
      hint: 'Name, description, pictures, address, who finds it and who may join.',
    },
    MANAGE_ROLES: { name: 'Manage roles', hint: 'Make, change and give roles below their own.' },
    MANAGE_CHANNELS: {
      name: 'Manage channels',
      hint: 'Make, change, order and delete channels, and decide who may do what in them.',
    },
    MANAGE_INVITES: { name: 'Manage invites', hint: 'See and revoke all invites.' },
    MANAGE_EMOJI: { name: 'Manage emoji', hint: 'Add and remove emoji of the community.' },
    MANAGE_WEBHOOKS: { name: 'Manage webhooks', hint: 'Let other programs write here.' },
    MANAGE_RULES: { name: 'Manage rules', hint: 'Set up automatic moderation.' },
    VIEW_AUDIT_LOG: { name: 'See the audit log', hint: 'What has been done, and by whom.' },
    HANDLE_REPORTS: {
      name: 'Handle reports',
      hint: 'See what members report, and decide about it.',
    },
    ADMINISTRATOR: {
      name: 'Administrator',
      hint: 'Everything, in every channel. Give it only to people whom you trust with all of it.',
    },
  } satisfies Readonly<Record<Permission, Explained>>,
};
