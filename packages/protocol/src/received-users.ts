/** Lenient schemas for what an instance says about people and their sessions: names of later versions are ignored. */
import { z } from 'zod';
import { accountExportSchema } from './account-export.ts';
import { lenient, listOf, type Instead } from './lenient.ts';
import { nothingSchema } from './mail-codes.ts';
import { joinedSchema, pendingSchema } from './registration.ts';
import { recoveryCodesSchema, totpSecretSchema } from './second-factor.ts';
import {
  ownUserSchema,
  sessionSchema,
  userSchema,
  type OwnUser,
  type Session,
  type SignedIn,
  type User,
} from './users.ts';

/** A person, as everyone sees them. */
export const receivedUser: z.ZodType<User> = userSchema;

/** A person, as they see themselves. */
export const receivedOwnUser: z.ZodType<OwnUser> = lenient(ownUserSchema).extend({
  settings: ownUserSchema.shape.settings.default({}).catch({}),
  factors: listOf(ownUserSchema.shape.factors.element).default([]),
});

/** Lenient schemas of people. */
export const PEOPLE: Instead = new Map([[ownUserSchema, receivedOwnUser]]);

/** A session, as its user sees it. */
export const receivedSession: z.ZodType<Session> = sessionSchema.extend({
  client: sessionSchema.shape.client.catch(undefined),
});

/** The answer to `GET /sessions`. */
export const receivedSessions: z.ZodType<Session[]> = z.array(receivedSession);

const signedIn = z.object({
  user: receivedOwnUser,
  token: z.string().min(1),
  session: receivedSession,
});

/** The answer to `POST /auth`. */
export const receivedSignedIn: z.ZodType<SignedIn> = signedIn;

/** The answer to `POST /users`. With `pending`, the account has to be approved before anybody can sign in. */
export const receivedRegistered = z.union([
  signedIn.extend({ joined: joinedSchema.exactOptional() }),
  pendingSchema.extend({ user: receivedOwnUser }),
]);

/** The answer to `PATCH /users/me`. After a new password, it has a new token. */
export const receivedChangedUser = z.union([receivedSignedIn, receivedOwnUser]);

/** The answer to `POST /sessions/current/token`. */
export const receivedToken = z.object({ token: z.string().min(1) });

/** The first answer to `POST /users/me/totp`: what an authenticator app needs. */
export const receivedTotpSecret = totpSecretSchema;

/** The second answer to `POST /users/me/totp`. */
export const receivedRecoveryCodes = recoveryCodesSchema;

/** The answers to `POST` and `GET /users/me/export`. */
export const receivedExport = accountExportSchema;

/** An answer with nothing to say. */
export const receivedNothing = nothingSchema;
