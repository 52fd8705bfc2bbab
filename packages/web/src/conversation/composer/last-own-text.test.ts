import { signal } from '@preact/signals';
import { expect, test } from 'bun:test';
import type { ConversationEntry, MessageEntry } from '../messages/entry.ts';
import type { PendingMessage } from '../../writing/outbox/pending-message.ts';
import { lastOwnText } from './last-own-text.ts';

function entryOf(content: string, isOwn: boolean): MessageEntry {
  return {
    kind: 'message',
    key: content,
    id: undefined,
    author: 'ada',
    content,
    createdAtMs: 1,
    nonce: undefined,
    isOwn,
    isPageStart: false,
  };
}

function lastOf(entries: readonly MessageEntry[], onTheirWay: readonly PendingMessage[] = []) {
  const conversation = {
    addressOf: (id: string) => `/lobby/${id}`,
    messages: { entries: signal<readonly ConversationEntry[]>(entries) },
    outbox: { pending: signal(onTheirWay) },
  };
  return lastOwnText(conversation, (content) => content.replace('a file', '').trim());
}

test('[WC35] the text that comes back is the last own one, without the quote and the files', () => {
  const own = '> **alan**: hello\n\ngood evening\na file';
  expect(lastOf([entryOf('earlier', true), entryOf(own, true), entryOf('other', false)])).toBe(
    'good evening',
  );
  const pending: PendingMessage = {
    key: 'n',
    author: 'ada',
    content: '> **alan**: hello\n\non its way',
    createdAtMs: 2,
    delivery: { state: 'waiting', untilMs: undefined },
  };
  expect(lastOf([entryOf(own, true)], [pending])).toBe('on its way');
});

test('[WC35] nothing comes back if there is no own text', () => {
  expect(lastOf([entryOf('other', false)])).toBeUndefined();
  expect(lastOf([entryOf('a file', true)])).toBeUndefined();
});
