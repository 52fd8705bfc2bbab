import type { UnauthorizedError } from '@hearth/sdk';

/** The text that a person reads whose session has ended. */
export const SESSION_ENDED = 'your session has ended: sign in again with hearth login';

const REASONS: Readonly<Record<string, string>> = {
  token_ended: SESSION_ENDED,
  token_invalid: 'you are not signed in: use hearth login',
  credentials_wrong: 'the name or the password is wrong',
  factor_required: 'the account has a second factor, and its code is missing',
  factor_wrong: 'the code is wrong',
};

/** Returns what a refusal means for a person; undefined if only the instance knows. */
export function refusalReason({ code = '' }: UnauthorizedError): string | undefined {
  return REASONS[code];
}
