import { Steps } from './steps.ts';

const SCHEME = /(?:https?|ftp)$/i;
const HOST_START = /^[\p{L}\p{N}-]/u;
/**
 * Matches characters that no address has: white space, and the punctuation and brackets of scripts that need no white space
 * after an address.
 */
const END =
  /[\s<\u3001-\u3003\u3008-\u3011\u3014-\u301F\uFE10-\uFE1F\uFE30-\uFE6B\uFF01-\uFF0F\uFF1A-\uFF20\uFF3B-\uFF40\uFF5B-\uFF65\u201C-\u201F\u00AB\u00BB\u2039\u203A]/;
/** Matches characters that no address ends with. */
const TRAILING = /[?!.,:;*_'"~`]|(?![\0-\x7F])\p{P}/u;
const LOCAL = /[a-z0-9._+-]/i;
const WORD = /[a-z0-9]/i;
const DOMAIN = /[a-z0-9._-]/i;
const AUTOLINK_SCHEME = /^[a-z][a-z0-9+.-]{1,31}$/i;
const MAIL = /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i;

/** An address in a text. */
export interface Address {
  readonly start: number;
  readonly end: number;
  readonly href: string;
}

/** The place of an address: its mark is at `at`, it does not begin before `from`, and brackets may be around it. */
export interface AddressPlace {
  readonly at: number;
  readonly from: number;
  readonly isInBrackets: boolean;
}

/** The address of the web whose scheme ends with `://` at the place. */
export function webAddressAt(
  text: string,
  { at, from, isInBrackets }: AddressPlace,
  steps: Steps,
): Address | undefined {
  const scheme = SCHEME.exec(text.slice(Math.max(from, at - 5), at))?.[0];
  if (scheme === undefined || !text.startsWith('://', at)) return undefined;
  if (!HOST_START.test(text.slice(at + 3, at + 5))) return undefined;
  const end = endOfAddress(text, at + 3, { isInBrackets, steps });
  if (end <= at + 3) return undefined;
  const start = at - scheme.length;
  return { start, end, href: text.slice(start, end) };
}

/** The address of the web that begins with `www.` at the place. */
export function wwwAddressAt(
  text: string,
  { at: start, isInBrackets }: AddressPlace,
  steps: Steps,
): Address | undefined {
  if (WORD.test(text[start - 1] ?? '')) return undefined;
  if (!HOST_START.test(text.slice(start + 4, start + 6))) return undefined;
  const end = endOfAddress(text, start + 4, { isInBrackets, steps });
  return { start, end, href: `http://${text.slice(start, end)}` };
}

/** The mail address whose `@` is at the place. */
export function mailAddressAt(
  text: string,
  { at, from }: AddressPlace,
  steps: Steps,
): Address | undefined {
  let start = at;
  while (start > from && LOCAL.test(text[start - 1] ?? '')) start -= 1;
  let end = at + 1;
  while (DOMAIN.test(text[end] ?? '')) end += 1;
  steps.take(2 + 2 * (end - start));
  while (end > at && !WORD.test(text[end - 1] ?? '')) {
    // A domain does not end with these, and one that goes on with them is none.
    if (text[end - 1] !== '.') return undefined;
    end -= 1;
  }
  const labels = text.slice(at + 1, end).split('.');
  const isDomain = labels.length > 1 && labels[0] !== '';
  return start < at && isDomain
    ? { start, end, href: `mailto:${text.slice(start, end)}` }
    : undefined;
}

// GFM: punctuation at the end is none of an address, and neither are parentheses that begin before it.
function endOfAddress(
  text: string,
  start: number,
  { isInBrackets, steps }: { readonly isInBrackets: boolean; readonly steps: Steps },
): number {
  let end = start;
  let unopened = 0;
  for (; end < text.length && !END.test(text[end] ?? ''); end += 1) {
    // What bars cover is no part of an address.
    if (text.startsWith('||', end) || (isInBrackets && text[end] === ']')) break;
    if (text[end] === ')') unopened += 1;
    else if (text[end] === '(') unopened -= 1;
  }
  steps.take(1 + 3 * (end - start));
  for (;;) {
    const last = text[end - 1] ?? '';
    if (end > start && TRAILING.test(last)) {
      const entity = last === ';' ? lengthOfEntity(text, end) : 0;
      end -= Math.max(1, entity);
    } else if (end > start && last === ')' && unopened > 0) {
      unopened -= 1;
      end -= 1;
    } else return end;
  }
}

function lengthOfEntity(text: string, end: number): number {
  let at = end - 2;
  while (WORD.test(text[at] ?? '')) at -= 1;
  return text[at] === '&' && at < end - 2 ? end - at : 0;
}

/** The addresses of the web in a text that is shown as it was written. */
export function webAddressesIn(text: string): readonly Address[] {
  const found: Address[] = [];
  const steps = new Steps(Infinity);
  let from = 0;
  for (const { 0: mark, index: at } of text.matchAll(/:\/\/|(?<![a-z0-9])www\./gi)) {
    if (at < from) continue;
    const place = { at, from, isInBrackets: false };
    const address =
      mark === '://' ? webAddressAt(text, place, steps) : wwwAddressAt(text, place, steps);
    if (address === undefined) continue;
    found.push(address);
    from = address.end;
  }
  return found;
}

/** The target of a link in angle brackets; undefined if that is no address. */
export function addressIn(brackets: string): string | undefined {
  const colon = brackets.indexOf(':');
  if (colon > 0 && AUTOLINK_SCHEME.test(brackets.slice(0, colon))) return brackets;
  return MAIL.test(brackets) ? `mailto:${brackets}` : undefined;
}
