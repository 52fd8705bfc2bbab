import type { BucketName, Client, LimitState } from '@hearth/sdk';
import { expect, test } from 'bun:test';
import { reportBusy } from './limit-notices.ts';

const STATE: LimitState = {
  limit: undefined,
  used: 0,
  resetsAtMs: 0,
  freeAtMs: 0,
  waiting: 0,
  repeating: 0,
  byteLimit: undefined,
  sentBytes: 0,
};

test('[OP76] each wait for a busy place is reported once', () => {
  const listeners = new Set<(event: never) => void>();
  const client: Pick<Client, 'on'> = {
    on(_name, listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const emit = (bucket: BucketName, repeating: number) => {
    const event = { bucket, state: { ...STATE, repeating } };
    for (const listener of listeners) listener(event as never);
  };
  let notices = 0;
  const stop = reportBusy(client, () => void (notices += 1));
  emit('vote', 0);
  expect(notices).toBe(0);
  for (const repeating of [1, 2, 1]) emit('vote', repeating);
  expect(notices).toBe(1);
  emit('message_send', 1);
  expect(notices).toBe(2);
  emit('vote', 0);
  emit('vote', 1);
  expect(notices).toBe(3);
  stop();
  expect(listeners.size).toBe(0);
});
