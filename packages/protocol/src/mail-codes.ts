import { z } from 'zod';
import { storableText } from './text.ts';
import { emailSchema, passwordSchema } from './users.ts';

/** A code from a mail, as somebody types it: its case, spaces and hyphens do not matter. Ours. */
export const typedCodeSchema = storableText(1, 64);

/** The body of `POST /password-reset`. Ours. */
export const passwordResetRequestSchema = z.object({ email: emailSchema });

/** The body of `PUT /password-reset/<code>`. Ours. */
export const passwordResetSchema = z.object({ password: passwordSchema });

/** The answer of a route that has nothing to say. Ours. */
export const nothingSchema = z.object({});

export type PasswordResetRequest = z.infer<typeof passwordResetRequestSchema>;
export type PasswordReset = z.infer<typeof passwordResetSchema>;
