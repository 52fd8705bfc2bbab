import type { ErrorCode } from './error-codes.ts';

/**
 * Every conflict that an instance answers with, as a sentence without its full stop: by the code of the error, and by the
 * field that it names. A name in braces stands for a detail, which only the sentence has.
 */
export const CONFLICTS = {
  taken: {
    email: 'Another account has this email address',
    from_message: 'This message is a post already',
    slug: 'The address is taken',
    token: 'The token has been replaced by a newer one',
    totp: 'A second factor is set up already',
    user: 'It is the id of one account and the name of another: {accounts}',
    username: 'This name is taken, or looks like one that is',
  },
  too_many: {
    bans: 'There are {most} bans already: ban ranges instead of addresses',
    blocks: 'There are {most} blocks already: block ranges instead of addresses',
    categories: 'A community has at most {most} categories: delete one first',
    channels: 'A community has at most {most} channels: delete one first',
    communities: 'One person is in at most {most} communities: leave one first',
    community: 'At most {most} people can wait for a community',
    emoji: 'A message has at most {most} kinds of reactions',
    instance_invites:
      'There are {most} invites already: revoke some, or make one for several people',
    invites: 'A community has at most {most} invites: revoke one first',
    overwrites: 'A channel has settings for at most {most} roles and members: remove some first',
    pinned: 'At most {most} posts can be pinned in a channel',
    pins: 'At most {most} messages can be pinned in a channel',
    requests: 'You can wait for at most {most} communities: take a request back first',
    roles: 'A community has at most {most} roles: delete one first',
    saved: 'You can save at most {most} posts',
    slug: 'The address of a community can be changed {most} times within a year',
  },
  wrong_state: {
    community: 'The community is not deleted',
    join: 'Everyone may join this community without a request',
    member: 'You are a member of this community already',
    owner_id: 'Hand over the community before you leave it',
    state: '{state}',
  },
  not_questions: { comment_id: 'Answers are accepted only in channels of questions' },
  owns_communities: {
    communities: 'These communities must be handed over or deleted first: {names}',
  },
  poll_ended: { option_ids: 'The poll has ended' },
  verified: { email: 'The email address is verified already' },
} as const satisfies ConflictSentences;

type ConflictSentences = Readonly<Partial<Record<ErrorCode, Readonly<Record<string, string>>>>>;

/** The code of an error about a conflict. */
export type ConflictCode = keyof typeof CONFLICTS;

/** Something for each conflict, such as a sentence in another language. */
export type ByConflict<Value> = {
  readonly [Code in ConflictCode]: Readonly<Record<keyof (typeof CONFLICTS)[Code], Value>>;
};

/** One of the conflicts. */
export type Conflict = {
  readonly [Code in ConflictCode]: {
    readonly code: Code;
    readonly field_name: keyof (typeof CONFLICTS)[Code] & string;
  };
}[ConflictCode];

/** The sentence about a conflict, without its details. */
export function conflictSentence({ code, field_name: field }: Conflict): string {
  const sentences: ConflictSentences = CONFLICTS;
  return sentences[code]?.[field] ?? '';
}
