import { z } from 'zod';
import { ERASED_CONTENTS } from './modes.ts';
import { idSchema } from './id-schema.ts';
import { currentPasswordSchema } from './second-factor.ts';
import { shownText } from './text.ts';
import {
  displayNameSchema,
  emailSchema,
  MOST_BIO_CHARACTERS,
  MOST_PRONOUNS_CHARACTERS,
  oneLine,
  ownUserSchema,
  passwordSchema,
  signedInSchema,
} from './users.ts';

/** The number of characters of a person's settings that are kept, as JSON. Ours. */
export const MOST_SETTINGS_CHARACTERS = 16_384;

const settingsSchema = z
  .record(z.string().max(64), z.unknown())
  .refine((settings) => JSON.stringify(settings).length <= MOST_SETTINGS_CHARACTERS, {
    error: `must be at most ${MOST_SETTINGS_CHARACTERS} characters of JSON`,
  })
  .refine((settings) => !JSON.stringify(settings).includes('\\u0000'), {
    error: 'must be text without U+0000',
  });

/** The body of `PATCH /users/me`: what is given changes, and null clears it. Ours. */
export const userChangeSchema = z.object({
  display_name: displayNameSchema.nullable().optional(),
  /** A text about themselves, in Markdown. */
  bio: shownText(1, MOST_BIO_CHARACTERS).nullable().optional(),
  pronouns: oneLine(1, MOST_PRONOUNS_CHARACTERS).nullable().optional(),
  /** The id of a picture that they have uploaded. */
  avatar: idSchema.nullable().optional(),
  banner: idSchema.nullable().optional(),
  /** Each given setting replaces the one of its name, and null removes it. Clients choose the names. */
  settings: settingsSchema.optional(),
  email: emailSchema.optional(),
  /** A new password. */
  password: passwordSchema.optional(),
  /** Required with `email` and `password`. */
  current_password: currentPasswordSchema.optional(),
});

/** The answer to `PATCH /users/me`: with a new password, also a new token for the same session. Ours. */
export const changedUserSchema = z.union([signedInSchema, ownUserSchema]);

/** The body of `DELETE /users/me`. Ours. */
export const accountRemovalSchema = z.object({
  current_password: currentPasswordSchema,
  content: z.enum(ERASED_CONTENTS),
});

export type AccountRemoval = z.infer<typeof accountRemovalSchema>;
export type UserChange = z.infer<typeof userChangeSchema>;
