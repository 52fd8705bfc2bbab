import type { NounDescription } from './noun.ts';

export const points: NounDescription = {
  title: 'Points',
  about:
    'Votes of others for what somebody wrote give them points, by rules that everyone can read.',
  tags: ['points'],
  fields: {
    points: 'How many points, not rounded.',
    'communities.id': 'The community.',
    'communities.points': 'How many points they have there.',
    user_id: 'The person.',
    community_id: 'The community.',
  },
  objects: {
    points: [
      'The points of a person.',
      {
        points: 'All points together.',
        communities: 'Points by community, as far as the caller sees it.',
      },
    ],
    pointRules: [
      'By which rules points are earned. There are no others.',
      {
        vote: 'What a vote for something gives at most.',
        voter_age_ms: 'Votes of accounts that are younger than this give nothing, in milliseconds.',
        pair_factor:
          'What each further vote of the same person for the same author gives, as a part of the vote before it.',
        pair_ms: 'How long votes of the same person are counted together, in milliseconds.',
        accepted_answer: 'What an accepted answer gives.',
      },
    ],
  },
};
