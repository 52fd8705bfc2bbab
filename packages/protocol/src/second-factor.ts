import { z } from 'zod';
import { anyText, storableText } from './text.ts';

/** A password that is compared with the one that an account has. Ours. */
export const currentPasswordSchema = anyText(1_024);

/** A code of the second factor: the six digits that an app shows, or a recovery code. Ours. */
export const factorCodeSchema = storableText(1, 64);

/**
 * The body of `POST /users/me/totp`: the password to begin, then a code that proves that the app has the secret. Ours.
 */
export const totpSetupSchema = z
  .object({
    current_password: currentPasswordSchema.optional(),
    code: factorCodeSchema.optional(),
  })
  .refine(
    ({ current_password: password, code }) => (password === undefined) !== (code === undefined),
    {
      error: 'must be given, or code, but not both',
      path: ['current_password'],
    },
  );

/** The secret for an app: in base 32, and as the address in the picture that the app scans. Ours. */
export const totpSecretSchema = z.object({ secret: z.string(), uri: z.string() });

/** The codes for somebody who has lost the app. They are shown once. Ours. */
export const recoveryCodesSchema = z.object({ recovery_codes: z.array(z.string()) });

/** The answer to `POST /users/me/totp`: the secret for a password, and the recovery codes for a code. Ours. */
export const totpSetupAnswerSchema = z.union([totpSecretSchema, recoveryCodesSchema]);

/** The body of `DELETE /users/me/totp`. Ours. */
export const totpRemovalSchema = z.object({
  current_password: currentPasswordSchema,
  code: factorCodeSchema,
});

export type TotpSetup = z.infer<typeof totpSetupSchema>;
export type TotpSecret = z.infer<typeof totpSecretSchema>;
export type RecoveryCodes = z.infer<typeof recoveryCodesSchema>;
export type TotpSetupAnswer = z.infer<typeof totpSetupAnswerSchema>;
export type TotpRemoval = z.infer<typeof totpRemovalSchema>;
