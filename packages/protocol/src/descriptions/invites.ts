import type { NounDescription } from './noun.ts';

export const invites: NounDescription = {
  title: 'Invites',
  about:
    'An invite is a code with which people join a community, or register. Its link is the address of the web client, `/invite/` and the code.',
  tags: ['invites'],
  fields: {
    code: 'What people are given, 12 letters and digits. Nobody can guess it.',
    community_id: 'The community that people join.',
    channel_id: 'The channel that is shown first.',
    expires_at: 'When it ends, in Unix milliseconds. Absent if it does not.',
    max_uses: 'How many people may join with it. Absent if there is no bound.',
    role_ids: 'The roles that people get who join with it.',
  },
  objects: {
    communityInvite: [
      'An invite, as its managers and the person who made it see it.',
      {
        created_by: 'The person who made it. Absent if that account was deleted.',
        uses: 'How many people have joined with it.',
      },
    ],
    communityInviteList: 'Invites that can be used, the newest first.',
    newCommunityInvite: 'An invite to make.',
    invitation: [
      'What everyone who has the code is shown.',
      {
        kind: '`community` if it is to a community, `server` if it is to the instance, and `owner` if it makes the account of the owner.',
        community: 'The community that the invite is to. Absent for other kinds.',
        members:
          'Some of the members of the community, at most 8. Absent if visitors cannot read it.',
        created_by:
          'The person who made it. Absent if that account was deleted, and for other kinds.',
        'community.icon': 'The id of a square picture.',
        'community.visibility': 'Who can find and read it.',
        registers:
          'Whether somebody without an account can register with the code, as `invite` of `POST /users`.',
      },
    ],
  },
};
