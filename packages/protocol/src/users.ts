import { z } from 'zod';
import { STAFF_PERMISSIONS, type StaffPermission } from './permissions.ts';
import { idSchema } from './id-schema.ts';
import { currentPasswordSchema, factorCodeSchema } from './second-factor.ts';
import { anyText, shownText, storableText } from './text.ts';

/** Lengths of what a person is called and says of themselves, in characters. Ours. */
export const USERNAME_LENGTH = { min: 2, max: 32 } as const;
export const PASSWORD_LENGTH = { min: 8, max: 256 } as const;
export const MOST_DISPLAY_NAME_CHARACTERS = 64;
export const MOST_BIO_CHARACTERS = 500;
export const MOST_PRONOUNS_CHARACTERS = 40;

/** RFC 5321, 4.5.3.1.3, without the angle brackets. */
const MOST_EMAIL_CHARACTERS = 254;

/** Names that would be taken for somebody in charge, for everyone, or for a part of the software. */
const RESERVED_USERNAMES: ReadonlySet<string> = new Set([
  'admin',
  'administrator',
  'all',
  'anonymous',
  'by-name',
  'deleted',
  'everyone',
  'guest',
  'hearth',
  'help',
  'here',
  'instance',
  'me',
  'mod',
  'moderator',
  'nobody',
  'null',
  'official',
  'owner',
  'postmaster',
  'root',
  'security',
  'server',
  'staff',
  'support',
  'system',
  'undefined',
  'webmaster',
]);

/** A username as somebody writes it; the result is in lower case. */
export const usernameSchema = storableText(USERNAME_LENGTH.min, USERNAME_LENGTH.max)
  .trim()
  .toLowerCase()
  .regex(/^[a-z0-9](?:[a-z0-9_.-]*[a-z0-9])?$/, {
    error: 'must be letters from a to z, digits, _, . and -, with a letter or digit at both ends',
  })
  .refine((name) => !RESERVED_USERNAMES.has(name) && !/\.(rss|atom)$/.test(name), {
    error: 'is reserved',
  });

/** A new password. */
export const passwordSchema = storableText(PASSWORD_LENGTH.min, PASSWORD_LENGTH.max);

/** An address for mail: the form that browsers accept in a form (HTML, 4.10.5.1.5), with a dot in its domain. */
export const emailSchema = storableText(3, MOST_EMAIL_CHARACTERS)
  .trim()
  .regex(
    /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/i,
    { error: 'must be an email address' },
  );

/** Text in one line that people see, without characters that turn the text around them. */
export function oneLine(min: number, max: number) {
  return shownText(min, max).regex(/^[^\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]+$/u, {
    error: 'must not contain line breaks or characters that control the direction of text',
  });
}

/** The name by which a person likes to be called. */
export const displayNameSchema = oneLine(1, MOST_DISPLAY_NAME_CHARACTERS);

const staffPermissionSchema = z.enum(
  // Guarantee: there is at least one.
  Object.keys(STAFF_PERMISSIONS) as [StaffPermission, ...StaffPermission[]],
);

/** A person, as everyone sees them. Ours. */
export const userSchema = z.object({
  id: idSchema,
  username: z.string(),
  display_name: z.string().optional(),
  bio: z.string().optional(),
  pronouns: z.string().optional(),
  avatar: idSchema.optional(),
  banner: idSchema.optional(),
  bot: z.boolean().optional(),
  host: z.string().optional(),
  points: z.number().optional(),
  /** Absent if the account was deleted, as everything but `id`, `username` and `deleted` is. */
  created_at: z.int().nonnegative().optional(),
  version: z.int().positive().optional(),
  deleted: z.boolean().optional(),
});

/** A person, as they see themselves. Ours. */
export const ownUserSchema = userSchema.extend({
  created_at: z.int().nonnegative(),
  version: z.int().positive(),
  email: z.string().optional(),
  email_verified: z.boolean(),
  /** The address that replaces `email` as soon as a code that was sent to it is redeemed. */
  pending_email: z.string().optional(),
  settings: z.record(z.string(), z.unknown()),
  /** The bytes that their uploads take, and may take. Only in the answer to `GET /users/me`. */
  storage: z.object({ used: z.int().nonnegative(), limit: z.int().positive() }).exactOptional(),
  staff_permissions: z.array(staffPermissionSchema).optional(),
  factors: z.array(z.enum(['totp'])),
  /** True if the staff's permissions of this person wait until they have a second factor. */
  needs_factor: z.boolean().optional(),
});

/** The program that a session belongs to. Ours. */
export const sessionClientSchema = z.object({
  name: storableText(1, 64),
  platform: storableText(1, 64),
});

/** A session, as its user sees it. Ours. */
export const sessionSchema = z.object({
  id: idSchema,
  client: sessionClientSchema.optional(),
  created_at: z.int().nonnegative(),
  last_used_at: z.int().nonnegative(),
  /** The network that it was used from last, such as `192.0.2.0/24`. */
  address_hint: z.string().optional(),
  current: z.boolean().optional(),
});

/** A user's sessions, the one used last first. Ours. */
export const sessionListSchema = z.array(sessionSchema);

/** A new token for the session that asks for it. Ours. */
export const tokenSchema = z.object({ token: z.string() });

/** The body of `POST /auth`. Ours. */
export const signInSchema = z
  .object({
    username: anyText(256).optional(),
    email: anyText(256).optional(),
    password: currentPasswordSchema,
    /** A code of the second factor; without it, an account that has one is answered with `factor_required`. */
    code: factorCodeSchema.optional(),
    client: sessionClientSchema.optional(),
  })
  .refine(({ username, email }) => (username === undefined) !== (email === undefined), {
    error: 'must be given, or email, but not both',
    path: ['username'],
  });

/** The answer to `POST /users` and `POST /auth`. Ours. */
export const signedInSchema = z.object({
  user: ownUserSchema,
  token: z.string(),
  session: sessionSchema,
});

export type User = z.infer<typeof userSchema>;
export type OwnUser = z.infer<typeof ownUserSchema>;
export type SessionClient = z.infer<typeof sessionClientSchema>;
export type Session = z.infer<typeof sessionSchema>;
export type SignIn = z.infer<typeof signInSchema>;
export type SignedIn = z.infer<typeof signedInSchema>;
