import type { NounDescription } from './noun.ts';

const to = 'All clients of the user, in the stream `u:`.';

export const reading: NounDescription = {
  title: 'Reading and notifications',
  about:
    'The instance keeps how far each member has read each channel, so that all devices agree. A channel is unread if its `last_id` is greater than `last_read_id`. In a channel that the person has not opened, everything is read that is older than the second of `joined_at` of their [membership](members.md#membership): compare `last_id` with the first [id](gateway.md#id) of that second. A message of one’s own moves the mark to it, without an event. Notifications say what concerns the person: mentions and replies.',
  tags: ['reading'],
  fields: {
    channel_id: 'The channel that was read, or chosen for.',
    community_id: 'The community that was read, or chosen for.',
    last_read_id:
      'The newest message or post that was read. It may have been deleted: compare it, and never look it up.',
    mentions: 'How many newer messages mention the person, at most 100.',
    unread: 'Sets the mark also if it goes back, so that the channel is unread again.',
    level: 'What the person is notified of: all messages, mentions, or nothing.',
    muted_until: 'Nothing is notified until then, in Unix milliseconds.',
  },
  objects: {
    readState: 'How far the caller has read a channel.',
    readMark: 'How far a channel was read. Without `unread`, an older mark is ignored.',
    readStateList:
      'The channels that the caller has opened. In others, everything is read that is older than the second in which the caller joined.',
    notificationSetting: [
      'What somebody has chosen for one community, or for one channel.',
      {
        community_id: 'The community. Absent if it is about a channel.',
        channel_id: 'The channel. Absent if it is about a community.',
        level:
          'What they are notified of. Absent: for a channel what the community has, and for a community `mentions`.',
      },
    ],
    notificationSettingList: 'Everything that the caller has chosen.',
    notificationChoice: 'A choice, which replaces the one before. An empty object removes it.',
    notification: [
      'Something that concerns the person.',
      {
        id: 'The notification. Later ones have greater ids.',
        kind: '`mention`: a text names the person. `reply`: it replies to something that they wrote.',
        user: 'The person who caused it.',
        community_id: 'The community where it happened. Absent for the lobby.',
        channel_id: 'The channel where it happened. Absent for the lobby.',
        message_id: 'The message, if it is one.',
        post_id: 'The post that it is, or that the comment is on.',
        comment_id: 'The comment, if it is one.',
        post_title: 'The title of the post. Only lists have it.',
        excerpt:
          'How the text begins, without Markdown and with `▇▇▇` for spoilers. Only lists have it.',
        created_at: 'When it happened, in Unix milliseconds.',
        read: 'The person has read it, or the place that it is about.',
      },
    ],
    notificationList: 'A page of notifications, the newest first.',
    notificationQuery: 'Which notifications to return.',
    notificationMark: [
      'How far notifications were read.',
      { last_read_id: 'This notification and all older ones are read.' },
    ],
  },
  events: {
    readUpdate: {
      about: 'The user has read a channel further, or marked it as unread, on any device.',
      to,
    },
    readUpdateMany: {
      about: 'The user has marked a community as read.',
      to,
      fields: { read_states: 'The channels that have changed.' },
    },
    notificationSettingUpdate: { about: 'The user has chosen what they are notified of.', to },
    notificationCreate: { about: 'Something concerns the user.', to },
    notificationUpdate: {
      about: 'The user has read a notification, by reading the place that it is about.',
      to,
    },
    notificationRead: { about: 'The user has read all notifications up to one.', to },
  },
};
