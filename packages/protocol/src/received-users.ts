/** Lenient schemas for what an instance says about people and their sessions: names of later versions are ignored. */
import { z } from 'zod';
import { accountExportSchema } from './account-export.ts';
import { nothingSchema } from './mail-codes.ts';
import { STAFF_PERMISSIONS, type StaffPermission } from './permissions.ts';
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

const FACTORS = ownUserSchema.shape.factors.element.options;

/** A person, as everyone sees them. */
export const receivedUser: z.ZodType<User> = userSchema;

/** A person, as they see themselves. */
export const receivedOwnUser: z.ZodType<OwnUser> = ownUserSchema.extend({
  settings: ownUserSchema.shape.settings.default({}).catch({}),
  staff_permissions: known(isStaffPermission).optional(),
  factors: known(isFactor).default([]),
});

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

/** A list of names, without those that `isKnown` refuses. */
function known<Name extends string>(isKnown: (name: string) => name is Name) {
  return z.array(z.string()).transform((names) => names.filter(isKnown));
}

function isStaffPermission(name: string): name is StaffPermission {
  return Object.hasOwn(STAFF_PERMISSIONS, name);
}

function isFactor(name: string): name is (typeof FACTORS)[number] {
  return FACTORS.some((factor) => factor === name);
}
