import type { NounDescription } from './noun.ts';

const to = 'All members who see the channel: in the stream `c:`, or `r:` if it is restricted.';

export const channels: NounDescription = {
  title: 'Channels',
  about:
    'A channel is a place in a community with messages or with posts. A category holds channels. Overwrites allow and deny permissions in one channel or category; a channel that not everyone sees who sees the community is restricted, and its events have a stream of their own.',
  tags: ['channels'],
  fields: {
    id: 'The channel.',
    kind: '`messages` and `announcements` have messages, `posts` has posts, and a `category` holds channels. Only some people write in announcements.',
    name: 'What the channel is called.',
    category_id: 'The category that the channel is in. Channels without one come first.',
    position: 'Where it stands within its category, from 0.',
    last_id:
      'The newest message or post, which may have been deleted. It is compared with `last_read_id`.',
    restricted:
      'Whether not everyone who sees the community sees the channel. Its events are in the stream `r:` then.',
    topic: 'What the channel is about.',
    overwrites: 'What roles and members are allowed and denied in it.',
    slow_mode_seconds: 'How long a member waits between two messages or posts.',
    allow: 'Permissions that are added.',
    deny: 'Permissions that are taken away, before `allow` is added.',
    tags: 'What posts can be marked with, in this order.',
    questions: 'Whether posts are questions, of which one comment can be accepted as the answer.',
    downvotes: 'False if nobody can vote down.',
    hide_scores_seconds: 'How long the votes for a new post or comment are hidden.',
    card_channel_ids: 'The channels with messages in which new posts are shown as cards.',
    colour: 'The colour of the tag, such as `#c0ffee`.',
    'tags.id':
      'The tag. A tag without an id is new, and one with an id replaces the tag that has it.',
    'tags.name': 'What the tag is called.',
    subject_id: 'The role or the user that the overwrite is for.',
    user: 'The person who is writing.',
    channel_id: 'The channel where somebody is writing.',
  },
  objects: {
    channel: 'A channel or category of a community.',
    channelStub: 'A channel, as far as a list of channels shows it.',
    ownChannel: [
      'A channel that the caller sees.',
      {
        permissions: 'What the caller may do there. Absent if it is the same as in the community.',
      },
    ],
    channelList: 'The channels that the caller sees, in their order.',
    newChannel: 'What a new channel begins with.',
    channelChange: 'What to change. What is absent stays as it is, and null clears it.',
    channelOrder: [
      'All channels and categories in a new order.',
      {
        order: 'Every channel and category of the community.',
        'order.id': 'The channel or category.',
        'order.category_id': 'The category that the channel is in from now on.',
      },
    ],
    overwrite: [
      'What one role or one member is allowed and denied in a channel or category.',
      { id: 'The role or the user.', kind: 'Whether it is for a role or for a member.' },
    ],
    overwriteChange: [
      'An overwrite to set.',
      { kind: 'Whether it is for a role or for a member.' },
    ],
    tag: [
      'What posts of a channel can be marked with.',
      { id: 'The tag.', name: 'What it is called.' },
    ],
    postSettings: 'What is special about a channel with posts.',
    postSettingsChange: 'What to change of a channel with posts. Lists replace what was there.',
  },
  events: {
    channelCreate: { about: 'A channel was added, or is no longer restricted.', to },
    channelUpdate: {
      about:
        'A channel has changed, or has another position. A client that does not know the channel adds it.',
      to,
    },
    channelDelete: {
      about:
        'A channel was removed, or another stream carries it from now on. A client that follows `r:` of the channel keeps it.',
      to: 'All members who saw the channel, in the stream that carried it.',
    },
    typing: {
      about: 'Somebody is writing in a channel. It is sent at most once in 4 s for each person.',
      to: 'Clients that watch the channel. It has no stream.',
    },
  },
};
