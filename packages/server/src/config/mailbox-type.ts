import type { ValueType } from './option.ts';
import { describe } from './wording.ts';

/** The sender of mail: an address, or a name and an address in angle brackets. */
export const mailbox: ValueType<string> = {
  expected: 'an address such as hearth@chat.example.org, or Hearth <hearth@chat.example.org>',
  read: (raw) =>
    typeof raw === 'string' && isMailbox(raw) ? { value: raw.trim() } : { got: describe(raw) },
};

function isMailbox(text: string): boolean {
  if (/\p{Cc}/u.test(text)) return false;
  return /^(?:[^<>@,;:"\\]*<[^\s<>@,;]+@[^\s<>@,;]+>|[^\s<>@,;]+@[^\s<>@,;]+)$/.test(text.trim());
}
