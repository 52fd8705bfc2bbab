import { expect, test } from 'bun:test';
import { manualClock } from '@hearth/testing/manual-clock';
import { MemoryStorage } from '../../../test/support/memory-storage.ts';
import type { OutboxItem } from './outbox-item.ts';
import { OutboxStore } from './outbox-store.ts';

const item = (content: string, createdAtMs = 1): OutboxItem => ({
  key: content,
  author: 'ada',
  content,
  createdAtMs,
  at: { phase: 'queued' },
});

/** The storages of one browser, and a clock that its pages share. */
function browser() {
  const local = new MemoryStorage();
  const clock = manualClock();
  return {
    local,
    clock,
    open: (session = new MemoryStorage()) => new OutboxStore({ local, session }, 'here', clock),
  };
}

test('a reloaded page gets its messages back, once', () => {
  const { open, local } = browser();
  const session = new MemoryStorage();
  const page = open(session);
  page.save([item('two', 2), item('one', 1)]);
  page.leave();
  expect(open(session).restore()).toEqual([item('one', 1), item('two', 2)]);
  expect(open(session).restore()).toEqual([]);
  expect(local.length).toBe(0);
});

test('another page, or a copy of the tab, does not take the messages', () => {
  const { open } = browser();
  const session = new MemoryStorage();
  const page = open(session);
  page.save([item('one')]);
  expect(open().restore()).toEqual([]);
  expect(open(session).restore()).toEqual([]);
});

test('a page that is restored unchanged keeps its messages', () => {
  const { open } = browser();
  const session = new MemoryStorage();
  const page = open(session);
  page.save([item('one')]);
  page.leave();
  page.comeBack();
  expect(open(session).restore()).toEqual([]);
});

test('messages of an abandoned page are shown, and sent only on request', async () => {
  const { open, clock } = browser();
  const page = open();
  page.save([item('one')]);
  await clock.advance(600_000);
  expect(open().restore()).toEqual([]);
  // It crashes.
  page[Symbol.dispose]();
  await clock.advance(600_000);
  const failed = { phase: 'failed', error: undefined, mayHaveBeenSent: false } as const;
  expect(open().restore()).toEqual([{ ...item('one'), at: failed }]);
});

test('messages that the instance accepted are not kept', () => {
  const { open, local } = browser();
  const page = open();
  page.save([{ ...item('one'), at: { phase: 'accepted', sinceMs: 1 } }]);
  expect(local.length).toBe(0);
});

test('records of other programs or instances, and broken ones, are left out', async () => {
  const { open, local, clock } = browser();
  local.setItem('hearth.outbox.here.1', '{"savedAtMs":0,"items":[{"key":1}]}');
  local.setItem('hearth.outbox.here.2', 'nonsense');
  local.setItem('hearth.outbox.elsewhere.3', '{}');
  await clock.advance(600_000);
  expect(open().restore()).toEqual([]);
  expect(local.length).toBe(1);
});

test('if the storage is full or forbidden, only reloading is affected', () => {
  const { open, local } = browser();
  local.isFull = true;
  const page = open();
  page.save([item('one')]);
  page.leave();
  expect(open().restore()).toEqual([]);
  const forbidden = new OutboxStore(
    { local: undefined, session: undefined },
    'here',
    manualClock(),
  );
  forbidden.save([item('one')]);
  expect(forbidden.restore()).toEqual([]);
});
