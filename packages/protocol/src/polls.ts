import { z } from 'zod';
import { idSchema } from './id-schema.ts';
import { oneLine } from './users.ts';

/** The number of options that a poll may have. Ours. */
export const POLL_OPTIONS = { min: 2, max: 10 } as const;

export const MOST_OPTION_CHARACTERS = 200;

/** The time in milliseconds that a poll may last: at least a minute, at most a year. Ours. */
export const POLL_DURATION_MS = { min: 60_000, max: 366 * 24 * 60 * 60 * 1_000 } as const;

/** A question of a post with answers to choose from. Ours. */
export const pollSchema = z.object({
  options: z.array(
    z.object({
      id: idSchema,
      text: z.string(),
      /** The number of people who chose it: after one's own vote, or after the end. */
      votes: z.int().nonnegative().exactOptional(),
    }),
  ),
  /** Set if several may be chosen. */
  multiple: z.literal(true).exactOptional(),
  ends_at: z.int().nonnegative(),
  /** The caller's choice. Events never have it. */
  my_votes: z.array(idSchema).exactOptional(),
});

/** A poll as it is made. Ours. */
export const newPollSchema = z.object({
  options: z
    .array(oneLine(1, MOST_OPTION_CHARACTERS))
    .min(POLL_OPTIONS.min)
    .max(POLL_OPTIONS.max)
    .refine((all) => new Set(all).size === all.length, { error: 'must be given once each' }),
  multiple: z.boolean().optional(),
  ends_at: z.int().nonnegative(),
});

/** The body of `PUT /posts/<id>/poll`; no option takes the vote back. Ours. */
export const pollVoteSchema = z.object({ option_ids: z.array(idSchema).max(POLL_OPTIONS.max) });

export type Poll = z.infer<typeof pollSchema>;
export type NewPoll = z.infer<typeof newPollSchema>;
export type PollVote = z.infer<typeof pollVoteSchema>;
