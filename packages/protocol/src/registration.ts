import { z } from 'zod';
import { idSchema } from './id-schema.ts';
import { languageSchema } from './language.ts';
import { storableText } from './text.ts';
import {
  displayNameSchema,
  emailSchema,
  ownUserSchema,
  passwordSchema,
  sessionClientSchema,
  signedInSchema,
  usernameSchema,
} from './users.ts';

/** The number of characters that an answer to the instance's question may have. Ours. */
export const MOST_ANSWER_CHARACTERS = 2_000;

/** A task that costs time, so that accounts cannot be registered by the thousand. `GET /capabilities` has a new one each time. Ours. */
export const proofChallengeSchema = z.object({
  /** Any text that is to be sent back as it is. */
  challenge: z.string(),
  /** With how many zero bits the SHA-256 of `challenge`, a colon and `nonce` in UTF-8 has to begin. */
  bits: z.int().nonnegative(),
  /** When the challenge is no longer accepted, in Unix milliseconds. */
  expires_at: z.int().nonnegative(),
});

/** A solved task. Each one registers a single account. Ours. */
export const proofSchema = z.object({
  challenge: storableText(1, 256),
  /** Any text that solves it, such as a counter. */
  nonce: storableText(1, 64),
});

/** The body of `POST /users`. Ours. */
export const registrationSchema = z.object({
  username: usernameSchema,
  email: emailSchema,
  password: passwordSchema,
  display_name: displayNameSchema.optional(),
  /** The language of the person, which becomes their setting of that name: mail is written in it. */
  language: languageSchema.optional(),
  client: sessionClientSchema.optional(),
  /**
   * The code of an invite to register, which is needed if the instance's `registration` is `invite` and enough if it is
   * `approval`; or that of an invite to a community which `registers`, and which the new account joins.
   */
  invite: storableText(1, 64).trim().optional(),
  /** The answer to the instance's question, for those who approve accounts. */
  answer: storableText(0, MOST_ANSWER_CHARACTERS).trim().optional(),
  /** Needed if `GET /capabilities` has a `proof`. */
  proof: proofSchema.optional(),
});

/** The place to which somebody goes who has registered with an invite to a community. Ours. */
export const joinedSchema = z.object({
  community_id: idSchema,
  slug: z.string(),
  /** The channel of the invite, if they see it. */
  channel_id: idSchema.exactOptional(),
});

/** The answer of `POST /users` if nobody has to approve the account. Ours. */
export const enteredSchema = signedInSchema.extend({
  /** The community that the account has joined, if the invite was to one. */
  joined: joinedSchema.exactOptional(),
});

/** The answer to `POST /users` if the staff has to approve the account. Ours. */
export const pendingSchema = z.object({ user: ownUserSchema, pending: z.literal(true) });

/** The answer to `POST /users`. Ours. */
export const registeredSchema = z.union([enteredSchema, pendingSchema]);

export type ProofChallenge = z.infer<typeof proofChallengeSchema>;
export type Proof = z.infer<typeof proofSchema>;
export type Registration = z.infer<typeof registrationSchema>;
export type Joined = z.infer<typeof joinedSchema>;
export type Entered = z.infer<typeof enteredSchema>;
export type Pending = z.infer<typeof pendingSchema>;
export type Registered = z.infer<typeof registeredSchema>;
