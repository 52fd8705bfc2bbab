import type { NounDescription } from './noun.ts';

const to = 'All members who see the channel: in the stream `c:`, or `r:` if it is restricted.';

export const posts: NounDescription = {
  title: 'Posts',
  about:
    'Channels of the kind `posts` have posts, which people vote for and comment on. Lists show the beginning of each text, and pages are continued by the address in the `Link` header.',
  tags: ['posts'],
  fields: {
    id: 'The post.',
    community_id: 'The community of the channel.',
    title: 'The title, one line of text.',
    content: 'The text, in Markdown.',
    url: 'The address that the post is about.',
    tag_ids: 'The tags of the channel that the post is marked with.',
    spoiler: 'Whether text and pictures are hidden until the reader wants to see them.',
    sensitive: 'Whether it shows what not everyone wants to see.',
    pinned: 'Whether moderators have put it at the top of its channel.',
    locked: 'Whether nobody may comment or vote.',
    attachments: 'Its files.',
    poll: 'A question with options to choose from.',
    from_message: 'The message that it was made from.',
    multiple: 'Whether several options may be chosen.',
    ends_at: 'When the poll ends, in Unix milliseconds.',
  },
  objects: {
    post: [
      'A post.',
      {
        content: 'The text, in Markdown. Lists have only its first 1,000 characters.',
        content_cut: 'Whether the text goes on: `GET /posts/{id}` has all of it.',
        embeds: 'What the instance found at addresses in the post.',
        comment_count: 'How many comments there are.',
        new_comments:
          'How many comments were written since the caller was there last. Events never have it.',
        my_vote: 'How the caller votes. Events never have it.',
        saved: 'Whether the caller has saved it. Events never have it.',
        accepted_comment_id: 'The comment that was accepted as the answer.',
        from_message:
          'The message that it was made from, if everyone who sees the post sees that message.',
        crosspost_of: 'The post that it repeats, if everyone who sees this one sees that one.',
      },
    ],
    postList: 'A page of posts.',
    newPost: [
      'What to post.',
      {
        attachments: 'Files that the caller has uploaded, each of which is attached only once.',
        from_message: 'A message of the caller’s community that becomes the post.',
      },
    ],
    postChange: [
      'What to change. What is absent stays as it is, and null clears it.',
      { pinned: 'For members with PIN.', locked: 'For members with MANAGE_CONTENT.' },
    ],
    postQuery: [
      'Which posts to list, and in which order.',
      {
        sort: '`hot`: votes and age. `new`: the newest first. `active`: the newest comment first. `top`: the most votes. `controversial`: many votes both ways.',
        since:
          'Only posts of the last day, week, month or year. Lists by the most votes and by votes both ways take it.',
        before: 'Only posts older than this one. With `new`.',
        tag: 'Only posts with this tag.',
      },
    ],
    userPostQuery: [
      'Which posts of a person to list.',
      { before: 'Only posts older than this one.' },
    ],
    crosspost: [
      'Where to repeat a post.',
      {
        channel_id: 'The channel of the new post.',
        title: 'Another title. By default it is that of the post.',
      },
    ],
    accepted: [
      'The answer to a question.',
      { comment_id: 'The comment that answers it, or null for none.' },
    ],
    messagePlace: [
      'Where a message is.',
      { channel_id: 'The channel of the message.', id: 'The message.' },
    ],
    embed: [
      'What the instance found at an address.',
      {
        url: 'The address.',
        title: 'The title of the page.',
        description: 'What the page says about itself.',
        site_name: 'What the whole site is called.',
        picture: 'A picture of the page, which the instance has stored.',
      },
    ],
    poll: [
      'A question of a post with options to choose from.',
      {
        options: 'What can be chosen, in this order.',
        'options.id': 'The option.',
        'options.text': 'What it says.',
        'options.votes':
          'How many chose it. Absent until the caller has voted or the poll has ended.',
        my_votes: 'The options that the caller has chosen. Events never have it.',
      },
    ],
    newPoll: ['A poll to begin.', { options: 'What can be chosen, each text once.' }],
  },
  events: {
    postCreate: {
      about: 'Something was posted. `d` is the whole post.',
      to,
      fields: { nonce: 'The nonce that it was posted with.' },
    },
    postUpdate: {
      about: 'A post has changed. `d` is the whole post, without what depends on the reader.',
      to,
    },
    postDelete: { about: 'A post was deleted, and its comments with it.', to },
  },
};
