import type { NounDescription } from './noun.ts';

const to = 'Moderators, in the stream `m:`.';

export const joinRequests: NounDescription = {
  title: 'Requests to join',
  about:
    'If `join` of a community is `request`, people ask to join, and moderators with KICK or MANAGE_INVITES decide.',
  tags: ['join requests'],
  fields: {
    user: 'The person who asks.',
    user_id: 'The person who asks.',
    community_id: 'The community that they want to join.',
    text: 'What they say to the moderators.',
    created_at: 'When they asked, in Unix milliseconds.',
  },
  objects: {
    joinRequest: 'Somebody who asks to become a member.',
    joinRequestList: 'All people who wait, the longest first.',
    joinRequestInput: 'A request.',
  },
  events: {
    joinRequestCreate: { about: 'Somebody asks to join, or has changed what they say.', to },
    joinRequestDelete: { about: 'A request was accepted, refused or taken back.', to },
  },
};
