import { parseId, type Id } from '@hearth/protocol';
import { expect, test } from 'bun:test';
import { manualClock } from '@hearth/testing/manual-clock';
import { MemoryStorage } from '../../../test/support/memory-storage.ts';
import type { MessageEntry } from '../messages/entry.ts';
import type { TimelineRow } from '../list/timeline.ts';
import { NEW_LINE, withNewLine } from '../list/with-new-line.ts';
import { newMessagesAfter } from './new-messages.ts';
import { dateOf, startOfDate } from './dates.ts';
import { ReadMark } from './read-mark.ts';

const idOf = (number: number): Id => parseId(String(number)) ?? expect.unreachable();

const entryOf = (number: number, isOwn = false): MessageEntry => ({
  kind: 'message',
  key: String(number),
  id: idOf(number),
  author: 'ada',
  content: `no. ${number}`,
  createdAtMs: number,
  nonce: undefined,
  isOwn,
  isPageStart: false,
});

/** A page that receives messages, and remembers in `local` what was read. */
function openPage(local: MemoryStorage) {
  const listeners: ((entry: MessageEntry) => void)[] = [];
  const clock = manualClock();
  const mark = new ReadMark(
    { onMessage: (listener) => (listeners.push(listener), () => {}) },
    { local, session: undefined },
    { storageKey: 'home', clock },
  );
  const receive = (entry: MessageEntry) => listeners.forEach((listener) => listener(entry));
  return { mark, receive, leftOff: () => mark.leftOff.value?.afterId };
}

test('[WC45] a later visit knows where the last one ended, and the first visit has nothing new', () => {
  const local = new MemoryStorage();
  {
    const { mark, receive, leftOff } = openPage(local);
    using _ = mark;
    mark.setLooking(true, idOf(1));
    receive(entryOf(2));
    expect(leftOff()).toBeUndefined();
  }
  const { mark, leftOff } = openPage(local);
  expect(leftOff()).toBe(idOf(2));
  mark.setLooking(true, idOf(5));
  expect(leftOff()).toBe(idOf(2));
  mark.flush();
  expect(openPage(local).leftOff()).toBe(idOf(5));
});

test('[WC45] new begins where the reader looked away, and an own message ends it', () => {
  const { mark, receive, leftOff } = openPage(new MemoryStorage());
  mark.setLooking(true, idOf(3));
  mark.setLooking(false, undefined);
  receive(entryOf(4));
  receive(entryOf(5));
  expect([leftOff(), mark.isDismissed.value]).toEqual([idOf(3), false]);
  mark.dismiss();
  mark.setLooking(true, undefined);
  expect(leftOff()).toBe(idOf(3));
  mark.setLooking(false, undefined);
  receive(entryOf(6));
  expect([leftOff(), mark.isDismissed.value]).toEqual([idOf(5), false]);
  receive(entryOf(7, true));
  expect(leftOff()).toBeUndefined();
});

test('[WC45] a page that has read less than another one does not take back what was read there', () => {
  const local = new MemoryStorage();
  const [one, other] = [openPage(local), openPage(local)];
  one.mark.setLooking(true, idOf(9));
  one.mark.flush();
  other.mark.setLooking(true, idOf(4));
  other.mark.flush();
  expect(openPage(local).leftOff()).toBe(idOf(9));
});

test('[WC46] messages of others are counted, as far as they are loaded', () => {
  const entries = [entryOf(3), entryOf(4), entryOf(5, true), entryOf(6)];
  expect(newMessagesAfter(entries, idOf(3), false)).toEqual({ count: 2, isMore: false });
  expect(newMessagesAfter(entries, idOf(1), false)).toEqual({ count: 3, isMore: true });
  expect(newMessagesAfter(entries, idOf(1), true)).toEqual({ count: 3, isMore: false });
  expect(newMessagesAfter(entries, idOf(6), false)).toEqual({ count: 0, isMore: false });
});

test('[WC45] the line is before the first new message, if it is known which that is', () => {
  const rows: TimelineRow[] = [3, 4, 5].map((number) => ({
    kind: 'message',
    key: String(number),
    message: entryOf(number),
    isGroupStart: true,
    delivery: undefined,
  }));
  const keys = (afterId: number, isWhole: boolean) =>
    withNewLine(rows, idOf(afterId), isWhole).map(({ key }) => key);
  expect(keys(3, false)).toEqual(['3', NEW_LINE.key, '4', '5']);
  expect(keys(2, false)).toEqual(['3', '4', '5']);
  expect(keys(2, true)).toEqual([NEW_LINE.key, '3', '4', '5']);
  expect(keys(5, true)).toEqual(['3', '4', '5']);
});

test('[WC44][WC44a] a day begins at midnight of the reader', () => {
  const ms = startOfDate('2026-11-23') ?? NaN;
  expect([new Date(ms).getHours(), dateOf(ms), dateOf(ms - 1)]).toEqual([
    0,
    '2026-11-23',
    '2026-11-22',
  ]);
  expect(startOfDate('')).toBeUndefined();
});
