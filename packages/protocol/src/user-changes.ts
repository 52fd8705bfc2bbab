import { z } from 'zod';
import { storableText } from './text.ts';
import {
  displayNameSchema,
  MOST_BIO_CHARACTERS,
  MOST_PRONOUNS_CHARACTERS,
  oneLine,
} from './users.ts';

/** How much of a person's settings are kept, in characters of their JSON. Ours. */
export const MOST_SETTINGS_CHARACTERS = 16_384;

const settingsSchema = z
  .record(z.string().max(64), z.unknown())
  .refine((settings) => JSON.stringify(settings).length <= MOST_SETTINGS_CHARACTERS, {
    error: `must be at most ${MOST_SETTINGS_CHARACTERS} characters of JSON`,
  })
  .refine((settings) => !JSON.stringify(settings).includes('\\u0000'), {
    error: 'must be text without U+0000',
  });

/** What `PATCH /users/me` takes: what is given changes, and null clears it. Ours. */
export const userChangeSchema = z.object({
  display_name: displayNameSchema.nullable().optional(),
  /** What they say of themselves, in Markdown. */
  bio: storableText(1, MOST_BIO_CHARACTERS).normalize('NFC').trim().min(1).nullable().optional(),
  pronouns: oneLine(1, MOST_PRONOUNS_CHARACTERS).nullable().optional(),
  /** Each given setting replaces the one of its name, and null removes it. Clients choose the names. */
  settings: settingsSchema.optional(),
});

export type UserChange = z.infer<typeof userChangeSchema>;
