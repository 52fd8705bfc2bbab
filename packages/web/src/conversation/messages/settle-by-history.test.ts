import { signal } from '@preact/signals';
import { expect, test } from 'bun:test';
import type { ConversationEntry, OlderState } from './entry.ts';
import type {
  Delivery,
  PendingMessage,
  SettlingMessage,
} from '../../writing/outbox/pending-message.ts';
import { settleByHistory } from './settle-by-history.ts';

const text = { author: 'ada', content: 'waits', createdAtMs: 1 };

/** Returns what is settled when a history that has the message is loaded, while it is pending as `delivery` says. */
function settledWhile(delivery: Delivery): readonly string[] {
  const settled: string[] = [];
  const entries = signal<readonly ConversationEntry[]>([]);
  const older = signal<OlderState>('loading');
  const pending = signal<readonly PendingMessage[]>([{ key: 'one', ...text, delivery }]);
  const settle = ({ content }: SettlingMessage) => void settled.push(content);
  settleByHistory({ entries, older }, { pending, settle });
  entries.value = [
    {
      kind: 'message',
      key: '1',
      id: undefined,
      nonce: undefined,
      isOwn: false,
      isPageStart: true,
      ...text,
    },
  ];
  older.value = 'none';
  return settled;
}

test.each<[string, Delivery, readonly string[]]>([
  [
    'may have been sent',
    { state: 'failed', error: undefined, mayHaveBeenSent: true, isRetryable: true },
    ['waits'],
  ],
  ['waits for its connection', { state: 'waiting', untilMs: undefined }, ['waits']],
  [
    'was refused',
    { state: 'failed', error: undefined, mayHaveBeenSent: false, isRetryable: true },
    [],
  ],
])('the first page of the history is compared with a message that %s', (_, delivery, settled) => {
  expect(settledWhile(delivery)).toEqual(settled);
});
