import type { NounDescription } from './noun.ts';

export const votes: NounDescription = {
  title: 'Votes',
  about:
    'Members vote for posts and comments, up or down, and choose options of polls. New posts and comments hide their votes for a while, if their channel says so.',
  tags: ['votes'],
  fields: {
    id: 'The post or the comment.',
    value: '1 is a vote for it, and -1 a vote against it.',
    my_vote: 'How the caller votes. Absent if they do not.',
  },
  objects: {
    totals: 'How people vote for a post or a comment.',
    votedValue: '1 is a vote for something, and -1 a vote against it.',
    voteInput: [
      'How the caller votes.',
      { value: '1 is a vote for it, -1 a vote against it, and 0 takes the vote back.' },
    ],
    voted: 'The votes from now on.',
    vote: [
      'How one person votes. Members with VIEW_VOTES see it.',
      { user: 'The person who votes.', cast_at: 'When they voted, in Unix milliseconds.' },
    ],
    voteList: 'A page of votes, the newest account first.',
    pollVote: [
      'What the caller chooses.',
      { option_ids: 'The options. None takes the vote back.' },
    ],
  },
  events: {
    scoreUpdate: {
      about:
        'The votes for a post, or for a comment on it, have changed. It is sent at most once a second.',
      to: 'Clients that watch the post. It has no stream.',
      fields: {
        post_id: 'The post that is watched.',
        comment_id: 'The comment. Absent if it is about the post itself.',
      },
    },
  },
};
