import type { Catalogue } from '../text/catalogue.ts';
import type { Formats } from '../text/formats.ts';
import type { Refusal } from './refusals.ts';

/** A sentence about a refusal: until when, and what the owner says about it. */
export function describeRefusal(
  { code, untilMs, reason }: Refusal,
  text: Catalogue,
  formats: Formats,
): string {
  const words = text.shell.refusals;
  const until = untilMs === undefined ? undefined : formats.moment(untilMs);
  const what = code === 'paused' ? words.paused(until) : words.banned(until);
  return reason === undefined ? `${what}.` : `${what}: ${reason}`;
}
