import type { NounDescription } from './noun.ts';

const to = 'Clients that watch the post. It has no stream.';

export const comments: NounDescription = {
  title: 'Comments',
  about:
    'Comments on a post form a tree. A list has each comment before its replies, down to a depth; the rest is read with `under`.',
  tags: ['comments'],
  fields: {
    id: 'The comment.',
    post_id: 'The post that it is on.',
    content: 'The text, in Markdown.',
    parent_id: 'The comment that it replies to. Absent if it replies to the post.',
    user_id: 'The person whose comments are listed.',
    comment_count: 'How many comments the post has from now on.',
  },
  objects: {
    comment: [
      'A comment on a post. A deleted one that has replies keeps its place, without user and text.',
      {
        post: 'The post. Only lists of comments on several posts have it.',
        depth: 'How deep it is in the tree. Replies to the post have 0.',
        user: 'The person who wrote it. Absent if it was deleted.',
        content: 'The text, in Markdown. Absent if it was deleted.',
        reply_count: 'How many comments reply to it directly.',
        my_vote: 'How the caller votes. Events never have it.',
        deleted: 'It was deleted, and stays because of its replies.',
      },
    ],
    commentedPost: [
      'The post that a comment is on.',
      {
        id: 'The post.',
        title: 'What it is called.',
        channel_id: 'The channel of the post.',
        community_id: 'The community of that channel.',
      },
    ],
    commentList: 'A part of the tree, each comment before its replies.',
    newComment: 'What to write.',
    commentChange: 'A new text for a comment.',
    commentQuery: [
      'Which part of the tree to return.',
      {
        sort: 'The order of comments with the same parent: by votes, the newest first, the oldest first, or those with many votes both ways first.',
        depth: 'How many levels there are in the answer: 8 if it is absent.',
        under: 'Only what replies to this comment, without the comment itself.',
      },
    ],
    contextQuery: [
      'How much comes with a comment.',
      {
        context: 'How many of the comments above it are returned before it: none if it is absent.',
      },
    ],
  },
  events: {
    commentCreate: {
      about: 'Somebody has commented. `d` is the comment, with new totals.',
      to,
      fields: {
        nonce: 'The nonce that it was posted with.',
        parent_reply_count: 'How many direct replies `parent_id` has from now on.',
      },
    },
    commentUpdate: { about: 'A comment has changed, or was deleted and has replies.', to },
    commentDelete: {
      about: 'A comment was deleted, and had no replies.',
      to,
      fields: {
        also: 'Comments above it that were deleted before, and have no replies any more.',
        parent: 'The comment right above all these.',
        'parent.id': 'That comment.',
        'parent.reply_count': 'How many direct replies it has from now on.',
      },
    },
  },
};
