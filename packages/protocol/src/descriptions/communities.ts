import type { NounDescription } from './noun.ts';

export const communities: NounDescription = {
  title: 'Communities',
  about:
    'A community is a place with members, roles and channels. It belongs to one person, its owner. Private communities are known to their members only: for everyone else, all routes answer as if they did not exist.',
  tags: ['communities'],
  fields: {
    id: 'The community. Its everyone role has the same id.',
    slug: 'The name in addresses, which is unique on the instance.',
    name: 'What the community is called.',
    description: 'What it is about, in Markdown.',
    icon: 'The id of a square picture, which `GET /media/{id}` of the file service answers with.',
    banner: 'The id of a wide picture.',
    rules: 'What members agree to, in Markdown.',
    kind: 'Which channels it may have: with messages, with posts, or both.',
    visibility:
      '`public`: everyone finds and reads it. `unlisted`: everyone who knows its address reads it. `private`: only members do.',
    join: '`open`: everyone may join. `request`: moderators accept people. `invite`: an invite is needed.',
    owner_id: 'The user who owns it, and may do everything there.',
    member_count: 'How many members it has.',
    languages: 'The languages that are spoken there, such as `en`.',
    tags: 'Words that others find it by.',
    sensitive: 'Whether it shows what not everyone wants to see, such as violence.',
    host: 'The instance that it belongs to, if that is another one.',
    deleted_at:
      'When the owner deleted it, in Unix milliseconds. For a week they can restore it, and only they see it.',
    limit: 'How many entries the answer has at most: 50 if it is absent.',
  },
  objects: {
    community: 'A community, as everyone sees it who may see it.',
    ownCommunity: [
      'A community of the caller, with everything that is needed to show it.',
      {
        membership: 'The caller’s own membership.',
        permissions:
          'What the caller may do in the community as a whole. No event has it: a client reads the community again after a change of its owner, of overwrites, or of the caller’s own roles or membership, and when a time-out of the caller ends.',
        roles: 'All roles, the weakest first.',
        channels: 'The channels that the caller sees, in their order.',
      },
    ],
    ownCommunityList: 'The communities of the caller, the one joined first first.',
    communityList: 'A page of communities.',
    newCommunity: [
      'What a new community begins with. It gets a first channel.',
      { join: 'Who may join: by default `invite` for a private community, and `open` for others.' },
    ],
    communityChange: [
      'What to change. What is absent stays as it is, and null clears it.',
      {
        icon: 'The id of a picture that the caller has uploaded. Everyone can fetch it from then on.',
        banner:
          'The id of a picture that the caller has uploaded. Everyone can fetch it from then on.',
      },
    ],
    communityQuery: [
      'Which communities to list.',
      {
        mine: 'Only communities that the caller is a member of, also those that nobody else finds.',
        q: 'Words with which those of the name, the slug or the tags begin.',
        sort: '`active`: the one with the newest message first. `new`: the newest first. `members`: the largest first.',
      },
    ],
    communityRemoval: [
      'A proof that the owner means it.',
      { slug: 'The slug of the community, typed again.' },
    ],
    ownerChange: ['Who becomes the owner.', { user_id: 'The member who becomes the owner.' }],
    auditChange: [
      'A field that a moderator has changed.',
      {
        field: 'The name of the field.',
        before: 'The value before. Absent if there was none.',
        after: 'The value after. Absent if there is none.',
      },
    ],
    auditEntry: [
      'What somebody did in a community that its moderators may want to know.',
      {
        id: 'The entry. Later entries have greater ids.',
        user: 'The person who did it.',
        action: 'What was done, such as `ban_create`. Later versions know more actions.',
        target: 'What it was done to.',
        'target.kind':
          'What the target is: `community`, `role`, `channel`, `user`, `message`, `post`, `comment` or `invite`.',
        'target.id': 'The id of the target.',
        'target.name': 'What a role or channel was called then.',
        'target.user': 'The person whom it was done to.',
        channel_id: 'The channel in which it happened. Only people who see it see the entry.',
        reason: 'What the moderator wrote about it.',
        changes: 'The fields that were changed.',
      },
    ],
    auditLog: 'Entries of the audit log, the newest first.',
    auditQuery: [
      'Which entries of the audit log to return.',
      { user: 'Only what this user did.', action: 'Only this action.' },
    ],
  },
  events: {
    communityCreate: {
      about:
        'The user has joined a community or made one, or one was restored. `STREAM_OPEN` comes for each of its streams, before or after this.',
      to: 'All clients of the user, in the stream `u:`.',
    },
    communityUpdate: {
      about: 'A community has changed. `d` has no roles and channels.',
      to: 'All members, in the stream `c:`.',
    },
    communityDelete: {
      about: 'A community was deleted. Its streams end.',
      to: 'All members, in the stream `c:`.',
    },
  },
};
