import type { NounDescription } from './noun.ts';

export const bans: NounDescription = {
  title: 'Bans',
  about:
    'Moderators with BAN remove people from a community who may not join again. Clients of the person are sent `MEMBER_LEAVE`.',
  tags: ['bans'],
  fields: {
    user: 'The person who is banned.',
    user_id: 'The person who is banned.',
    community_id: 'The community that they may not join.',
    expires_at: 'When the ban ends by itself, in Unix milliseconds. Absent if it does not.',
    created_at: 'When they were banned, in Unix milliseconds.',
  },
  objects: {
    ban: [
      'Somebody who may not join a community.',
      {
        reason: 'Why they are banned.',
        created_by: 'The moderator who banned them. Absent if that account was deleted.',
      },
    ],
    banList: 'Bans, the newest first.',
    banInput: [
      'How to ban somebody.',
      { delete_seconds: 'What they posted within so many seconds before the ban is deleted.' },
    ],
  },
};
