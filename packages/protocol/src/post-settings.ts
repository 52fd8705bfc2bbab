import { z } from 'zod';
import { idSchema } from './id-schema.ts';
import { oneLine } from './users.ts';

/** The number of tags that a channel with posts may have. Ours. */
export const MOST_TAGS = 50;

export const MOST_TAG_CHARACTERS = 32;

/** The longest time in seconds for which the scores of a new post may be hidden: a day. Ours. */
export const MOST_HIDDEN_SCORE_SECONDS = 24 * 60 * 60;

/** The number of channels that may show the new posts of a channel as cards. Ours. */
export const MOST_CARD_CHANNELS = 5;

const colourSchema = z
  .string()
  .toLowerCase()
  .regex(/^#[0-9a-f]{6}$/, { error: 'must be a colour such as #c0ffee' });

/** Something that posts of a channel can be marked with. Ours. */
export const tagSchema = z.object({
  id: idSchema,
  name: z.string(),
  colour: z.string().exactOptional(),
});

/** Settings of a channel with posts. Ours. */
export const postSettingsSchema = z.object({
  /** In their order. */
  tags: z.array(tagSchema).exactOptional(),
  /** Set if posts are questions, of which a comment can be accepted as the answer. */
  questions: z.literal(true).exactOptional(),
  /** Absent unless nobody can vote down. */
  downvotes: z.literal(false).exactOptional(),
  /** The time in seconds for which the scores of a post or comment are hidden after it was written. */
  hide_scores_seconds: z.int().positive().exactOptional(),
  /** The channels with messages that show new posts as cards. */
  card_channel_ids: z.array(idSchema).exactOptional(),
});

/** A tag as a manager writes it: one with the id of a tag replaces that tag. Ours. */
const writtenTagSchema = z.object({
  id: idSchema.optional(),
  name: oneLine(1, MOST_TAG_CHARACTERS),
  colour: colourSchema.optional(),
});

/** Changes of these settings by managers; lists replace what was there. Ours. */
export const postSettingsChangeSchema = z.object({
  tags: z.array(writtenTagSchema).max(MOST_TAGS).optional(),
  questions: z.boolean().optional(),
  downvotes: z.boolean().optional(),
  hide_scores_seconds: z.int().nonnegative().max(MOST_HIDDEN_SCORE_SECONDS).nullable().optional(),
  card_channel_ids: z.array(idSchema).max(MOST_CARD_CHANNELS).optional(),
});

export type Tag = z.infer<typeof tagSchema>;
export type PostSettings = z.infer<typeof postSettingsSchema>;
export type PostSettingsChange = z.infer<typeof postSettingsChangeSchema>;
