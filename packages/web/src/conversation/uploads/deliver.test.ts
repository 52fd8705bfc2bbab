import { expect, test } from 'bun:test';
import type { Client, FileData } from '@hearth/sdk';
import { deliverTo, MessageTooLongError, TooManyMessagesError } from './deliver.ts';

// Guarantee: nothing else of it is used.
const client = {
  info: { message_limit: 20 },
  files: { url: (id: string) => `https://f/${id}` },
} as unknown as Client;
const data = { id: '1' } as FileData;

test('a message with files ends with their addresses, and is kept if it would be too long or too many wait', () => {
  const sent: string[] = [];
  const deliver = deliverTo({ send: (content) => sent.push(content) < 3 }, client);
  deliver('look', [data]);
  deliver('', [data]);
  expect(sent).toEqual(['look\nhttps://f/1', 'https://f/1']);
  expect(() => deliver('look at it', [data])).toThrow(MessageTooLongError);
  expect(() => deliver('', [data])).toThrow(TooManyMessagesError);
});
