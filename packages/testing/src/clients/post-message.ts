import { expect } from 'bun:test';
import type { TestInstance } from '../instances/test-instance.ts';

/** Posts a message and resolves when it is accepted. */
export async function postMessage(
  { addresses }: Pick<TestInstance, 'addresses'>,
  content: string,
  author = 'someone',
): Promise<void> {
  const answer = await fetch(`${addresses.rest}/messages`, {
    method: 'POST',
    body: JSON.stringify({ author, content }),
  });
  expect(answer.status).toBe(200);
  await answer.bytes();
}

/** The payload of the event that a message causes. */
export function eventOf(content: string, author = 'someone'): string {
  return JSON.stringify({ op: 'MESSAGE_CREATE', d: { author, content } });
}
