import { isAccessCode } from '@hearth/protocol';
import { HearthError } from './errors.ts';

/** The instance's access code, or a function that returns it. */
export type AccessCodeOption = string | (() => string | undefined);

/** The access code to send now. Throws HearthError if it is not one, without quoting it. */
export function accessCodeNow(option: AccessCodeOption | undefined): string | undefined {
  const code = typeof option === 'function' ? option() : option;
  if (code === undefined || code === '') return undefined;
  if (isAccessCode(code)) return code;
  throw new HearthError('The access code has characters or a length that no access code has');
}

/** The access code in an invite link, such as `https://chat.example.org/#code=…`; undefined if it has none. */
export function accessCodeOf(url: string | URL): string | undefined {
  const [, fragment = ''] = /#(.*)$/s.exec(String(url)) ?? [];
  return new URLSearchParams(fragment).get('code') || undefined;
}
