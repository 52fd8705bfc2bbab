import type { NounDescription } from './noun.ts';

export const members: NounDescription = {
  title: 'Members',
  about:
    'A member is a user in a community, with a nickname and roles. People join with `PUT …/members/me`, with an invite, or after a moderator has accepted their request.',
  tags: ['members'],
  fields: {
    user: 'The person.',
    user_id: 'The id of the person.',
    nickname: 'What the person is called in this community.',
    role_ids: 'The roles of the member, without the everyone role.',
    joined_at: 'When the person became a member, in Unix milliseconds.',
    timed_out_until: 'Until then the member may only read, in Unix milliseconds.',
    community_id: 'The community that it is a membership of.',
  },
  objects: {
    membership: 'What is special about somebody in one community.',
    member: 'A member of a community.',
    memberList: 'A page of members, by the names that are shown.',
    memberQuery: [
      'Which members to list.',
      { q: 'How the username, the display name or the nickname begins.' },
    ],
    memberChange: [
      'What to change. What is absent stays as it is, and null clears it.',
      { role_ids: 'All roles that the member has from now on.' },
    ],
    reason: 'Why a moderator does something. The audit log shows it.',
    reasonQuery: 'The query of what moderators remove or end.',
  },
  events: {
    memberUpdate: {
      about: 'The user’s own membership has changed.',
      to: 'All clients of the user, in the stream `u:`.',
    },
    memberLeave: {
      about:
        'The user is no longer a member. `STREAM_CLOSE` comes for each stream of the community, before or after this.',
      to: 'All clients of the user, in the stream `u:`.',
      fields: { reason: 'How it ended. `deleted`: the community was deleted.' },
    },
    watchedMemberCreate: {
      about: 'Somebody has joined a community.',
      to: 'Clients that watch the community. It has no stream.',
    },
    watchedMemberUpdate: {
      about: 'A member has changed.',
      to: 'Clients that watch the community. It has no stream.',
    },
    watchedMemberDelete: {
      about: 'Somebody is no longer a member.',
      to: 'Clients that watch the community. It has no stream.',
    },
  },
};
