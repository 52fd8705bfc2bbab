import { LINK_HEADER } from '@hearth/protocol';
import type { Page } from '../page.ts';
import type { HeadedAnswer } from './headed-answer.ts';

export const ADDS_LINK = {
  [LINK_HEADER]: 'The address of the next page, if there is one: `<?cursor=…>; rel="next"`',
} as const;

/** A page, with the address of the next one, relative to its own: that has the same query and another cursor. */
export function pagedAnswer<Entry>(
  { entries, cursor }: Page<Entry>,
  query: Readonly<Record<string, string | number | undefined>>,
): HeadedAnswer<readonly Entry[]> {
  if (cursor === undefined) return { body: entries, headers: {} };
  const next = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...query, cursor })) {
    if (value !== undefined) next.set(name, String(value));
  }
  return { body: entries, headers: { [LINK_HEADER]: `<?${next.toString()}>; rel="next"` } };
}
