import {
  ConflictError,
  ForbiddenError,
  NotFoundError,
  UnauthorizedError,
  ValidationError,
} from '@hearth/sdk';
import { describeConflict } from '../conversation/describe-conflict.ts';
import { describeError } from '../conversation/describe-error.ts';
import type { Catalogue } from '../text/catalogue.ts';
import type { Formats } from '../text/formats.ts';
import { useFormats, useText } from '../text/use-text.ts';
import { useAccountText, type AccountText } from './use-account-text.ts';

/** Problems with fields, or with all of them together. */
export type Problems<Name extends string> = {
  readonly [Field in Name | 'form']?: string | undefined;
};

/** The meaning of errors to the reader. */
export interface Describing {
  readonly text: Catalogue;
  readonly account: AccountText;
  readonly formats: Formats;
}

/** The texts in which errors are described. */
export function useDescribing(): Describing {
  return { text: useText(), account: useAccountText(), formats: useFormats() };
}

/** Returns what an error means for a form with these fields. */
export function describeProblems<Name extends string>(
  error: unknown,
  names: readonly Name[],
  describing: Describing,
): Problems<Name> {
  const { text, account, formats } = describing;
  const field = names.find((name) => name === fieldOf(error));
  if (field !== undefined && error instanceof ConflictError) {
    return only(field, describeConflict(error, text));
  }
  if (field !== undefined) return only(field, fieldProblem(field, error, account.field));
  if (error instanceof UnauthorizedError) return only('form', unauthorized(error, account));
  const { code } = error instanceof ForbiddenError ? error : { code: undefined };
  if (code === 'registration_closed') return only('form', account.register.closedText);
  if (code === 'registration_blocked') return only('form', account.register.blocked);
  if (code === 'pending_approval') return only('form', account.signIn.pending);
  if (code === 'account_disabled') return only('form', account.signIn.disabled);
  return only('form', describeError(error, text, formats));
}

/** Returns whether a code from a mail was wrong, used or too old. */
export function isCodeRefused(error: unknown): boolean {
  const isOfCode = error instanceof ValidationError && error.fieldName === 'code';
  return isOfCode || error instanceof NotFoundError;
}

function only<Name extends string>(name: Name | 'form', problem: string): Problems<Name> {
  // Guarantee: the object has one key, and it is `name`.
  return { [name]: problem } as Problems<Name>;
}

function fieldOf(error: unknown): string | undefined {
  const isOfField = error instanceof ValidationError || error instanceof ConflictError;
  return isOfField ? error.fieldName : undefined;
}

function unauthorized({ code }: UnauthorizedError, { signIn, factor }: AccountText): string {
  if (code === 'token_ended' || code === 'token_invalid') return signIn.again;
  return code === 'factor_wrong' ? factor.wrong : signIn.wrong;
}

/** The page has checked lengths and characters before: what is left is what only the server knows. */
function fieldProblem(name: string, error: unknown, words: AccountText['field']): string {
  switch (name) {
    case 'email':
      return words.emailBlocked;
    case 'password':
      return words.passwordCommon;
    case 'current_password':
      return words.passwordWrong;
    case 'code':
      return words.codeWrong;
    case 'invite':
      return words.invite;
  }
  const why = error instanceof ValidationError ? error.error : '';
  return words.notAccepted(why);
}
