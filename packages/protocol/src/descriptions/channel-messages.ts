import type { NounDescription } from './noun.ts';

const to = 'All members who see the channel: in the stream `c:`, or `r:` if it is restricted.';
const reaction = {
  emoji: 'What they reacted with.',
  user_id: 'The person who reacted, or took a reaction back.',
  version: 'The version of the message from now on.',
};

export const channelMessages: NounDescription = {
  title: 'Messages of channels',
  about:
    'Channels of the kinds `messages` and `announcements` have messages. Their ids grow with time, so a client sorts messages by their ids.',
  tags: ['channel messages'],
  fields: {
    id: 'The message.',
    message_id: 'The message that it is about.',
    author: 'The username that the person had then. Programs that know only the lobby can show it.',
    content: 'The text, in Markdown.',
    user: 'The person who posted it. Absent if nobody with an account did.',
    reply_to: 'The message that it replies to.',
    emoji: 'One Unicode emoji, without variation selectors; percent-encoded in a path.',
  },
  objects: {
    channelMessage: [
      'A message of a channel.',
      {
        content: 'The text, in Markdown. Empty only if there are attachments.',
        mention_roles: 'The roles that the text mentions as `@role-name`.',
        mention_channels: 'The channels that the text mentions as `#name`.',
        mentions_all: 'Whether `@all` in the text mentions everyone who sees the channel.',
        reactions: 'What people reacted with, the first kind first. Absent if there are none.',
        pinned: 'Whether a moderator has pinned it.',
        kind: '`post` if the message only shows that `post_id` was posted. Absent for all others.',
        post_id: 'The post that was made from it, or that it shows.',
      },
    ],
    channelMessageList: 'A page of messages, the newest first.',
    replyTarget: [
      'The message that another one replies to.',
      {
        author: 'The name of the person who posted it. Absent if the message was deleted.',
        user: 'The person who posted it. Absent if the message was deleted.',
        excerpt: 'How its text begins. Absent if the message was deleted.',
      },
    ],
    newChannelMessage: [
      'What to post. It has a text, or files, or both.',
      {
        reply_to: 'The message of the same channel that it replies to.',
        attachments: 'Files that the caller has uploaded, each of which is attached only once.',
      },
    ],
    givenFiles: [
      'Files to attach, in this order.',
      {
        id: 'The id that the upload was answered with.',
        alt: 'What the file shows, for people who do not see it.',
      },
    ],
    channelMessageChange: 'A new text for a message.',
    messageIds: ['Messages of one channel.', { ids: 'The messages. Unknown ones are ignored.' }],
    messageVersion: [
      'A former text of a message. Only moderators see it.',
      {
        version: 'The version that the message had.',
        content: 'The text that it had.',
        replaced_at: 'Until when it had this text, in Unix milliseconds.',
      },
    ],
    messageVersionList: 'Former texts of a message, the newest first.',
    versionQuery: ['Which former texts to return.', { before: 'Only versions below this one.' }],
    reachInput: 'A text that is about to be posted.',
    reach: [
      'How many people a text would notify.',
      { people: 'The people whom it mentions, counted up to 1,000.' },
    ],
  },
  events: {
    channelMessageCreate: {
      about: 'A message was posted. `d` is the whole message.',
      to,
      fields: { nonce: 'The nonce that it was posted with.' },
    },
    channelMessageUpdate: {
      about: 'A message has changed. `d` is the whole message, without `mine`.',
      to,
    },
    channelMessageDelete: { about: 'A message was deleted.', to },
    messageDeleteMany: {
      about: 'Several messages were deleted.',
      to,
      fields: { ids: 'The messages.' },
    },
    channelReactionAdd: {
      about: 'Somebody reacted to a message.',
      to,
      fields: { ...reaction, count: 'How many people react with it from now on.' },
    },
    channelReactionRemove: {
      about: 'Somebody took a reaction back.',
      to,
      fields: { ...reaction, count: 'How many people react with it from now on, which may be 0.' },
    },
    pinAdd: { about: 'A message was pinned.', to },
    pinRemove: { about: 'A message is no longer pinned.', to },
  },
};
