import type { LobbyMessage } from '@hearth/protocol';
import { lobbyMessageSchema } from '@hearth/protocol/schemas';
import { expect } from 'bun:test';
import { z } from 'zod';
import type { TestInstance } from '../instances/test-instance.ts';
import { until } from '../until.ts';

interface Addressed {
  readonly addresses: Pick<TestInstance['addresses'], 'rest'>;
}

const listSchema = z.array(lobbyMessageSchema.strict());

/** The answer to `GET /messages` (or another method) with a query such as `?limit=3`. */
export function askHistory(
  { addresses }: Addressed,
  query = '',
  init: RequestInit = {},
): Promise<Response> {
  return fetch(`${addresses.rest}/messages${query}`, init);
}

/** The messages in the answer to `GET /messages`, the newest first. */
export async function readHistory(instance: Addressed, query = ''): Promise<LobbyMessage[]> {
  const answer = await askHistory(instance, query);
  const text = await answer.text();
  expect([answer.status, text]).toEqual([200, text]);
  expect(answer.headers.get('content-type')).toBe('application/json');
  return listSchema.parse(JSON.parse(text));
}

/** The contents of those messages, the newest first. */
export async function readContents(instance: Addressed, query = ''): Promise<string[]> {
  return (await readHistory(instance, query)).map(({ content }) => content);
}

/** The contents of the messages that a search for a text finds, the newest first. */
export async function searchContents({ addresses }: Addressed, text: string): Promise<string[]> {
  const answer = await fetch(`${addresses.rest}/search?${new URLSearchParams({ q: text })}`);
  const found = await answer.text();
  expect([answer.status, found]).toEqual([200, found]);
  return listSchema.parse(JSON.parse(found)).map(({ content }) => content);
}

/** Resolves when a search finds these messages: they are indexed in the background. */
export async function untilFound(
  instance: Addressed,
  text: string,
  contents: readonly string[],
): Promise<void> {
  await until(async () => Bun.deepEquals(await searchContents(instance, text), contents));
}

/** The whole history, the oldest message first, as a client reads it page by page from one end or the other. */
export async function readThrough(
  instance: Addressed,
  from: 'newest' | 'oldest',
  limit = 100,
): Promise<LobbyMessage[]> {
  const found: LobbyMessage[] = [];
  for (;;) {
    const place = from === 'newest' ? `before=${found[0]?.id}` : `after=${found.at(-1)?.id ?? 0}`;
    const isFirstPage = from === 'newest' && found.length === 0;
    const page = await readHistory(instance, `?limit=${limit}${isFirstPage ? '' : `&${place}`}`);
    if (from === 'newest') found.unshift(...page.toReversed());
    else found.push(...page.toReversed());
    if (page.length < limit) return found;
  }
}
