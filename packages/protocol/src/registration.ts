import { z } from 'zod';
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

/** How long an answer to the instance's question may be, in characters. Ours. */
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

/** What `POST /users` takes. Ours. */
export const registrationSchema = z.object({
  username: usernameSchema,
  email: emailSchema,
  password: passwordSchema,
  display_name: displayNameSchema.optional(),
  /** The language of the person, which becomes their setting of that name: mail is written in it. */
  language: languageSchema.optional(),
  client: sessionClientSchema.optional(),
  /** The code of an invite: needed if the instance's `registration` is `invite`, and enough if it is `approval`. */
  invite: storableText(1, 64).trim().optional(),
  /** The answer to the instance's question, for those who approve accounts. */
  answer: storableText(0, MOST_ANSWER_CHARACTERS).trim().optional(),
  /** Needed if `GET /capabilities` has a `proof`. */
  proof: proofSchema.optional(),
});

/** What `POST /users` answers if the staff has to approve the account. Ours. */
export const pendingSchema = z.object({ user: ownUserSchema, pending: z.literal(true) });

/** What `POST /users` answers. Ours. */
export const registeredSchema = z.union([signedInSchema, pendingSchema]);

export type ProofChallenge = z.infer<typeof proofChallengeSchema>;
export type Proof = z.infer<typeof proofSchema>;
export type Registration = z.infer<typeof registrationSchema>;
export type Pending = z.infer<typeof pendingSchema>;
export type Registered = z.infer<typeof registeredSchema>;
