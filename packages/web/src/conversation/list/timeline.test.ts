import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { PendingMessage } from '../../writing/outbox/pending-message.ts';
import type { GapEntry, MessageEntry, OlderState } from '../messages/entry.ts';
import { Timeline, type TimelineRow } from './timeline.ts';

const MINUTE = 60_000;
const NOON = new Date(2026, 10, 21, 12).getTime();
let made = 0;

function entry(over: Partial<MessageEntry> = {}): MessageEntry {
  made += 1;
  return {
    kind: 'message',
    key: `key ${made}`,
    id: undefined,
    author: 'Ada',
    content: 'hello',
    createdAtMs: NOON,
    nonce: undefined,
    isOwn: false,
    isPageStart: false,
    ...over,
  };
}

function gap(): GapEntry {
  made += 1;
  return { kind: 'gap', key: `key ${made}`, fromMs: 1, untilMs: 2, afterId: undefined };
}

function pending(key: string): PendingMessage {
  return { key, author: 'Mira', content: 'hi', createdAtMs: NOON, delivery: { state: 'sending' } };
}

function rowsOf(
  entries: readonly (MessageEntry | GapEntry)[],
  older: OlderState = 'more',
): readonly TimelineRow[] {
  return new Timeline().rows({ entries, pending: [], older });
}

const starts = (rows: readonly TimelineRow[]) =>
  rows.map((row) => (row.kind === 'message' ? row.isGroupStart : row.kind));

describe('the timeline', () => {
  test('messages of one author within five minutes are grouped', () => {
    const at = (minutes: number, author = 'Ada') =>
      entry({ author, createdAtMs: NOON + minutes * MINUTE });
    const rows = rowsOf([at(0), at(4), at(9), at(14.1), at(14.2, 'Mira'), at(14.3)]);
    expect(starts(rows)).toEqual([true, false, false, true, true, true]);
  });

  test("somebody else's message is never grouped with an own one", () => {
    const rows = rowsOf([entry({ isOwn: true }), entry({ isOwn: false })]);
    expect(starts(rows)).toEqual([true, true]);
  });

  test('the timeline has a line for each day, and for the first day only if no earlier messages can be loaded', () => {
    const later = entry({ createdAtMs: NOON + 24 * 60 * MINUTE });
    const first = entry();
    expect(starts(rowsOf([first, later]))).toEqual([true, 'day', true]);
    expect(starts(rowsOf([first, later], 'unavailable'))).toEqual(['day', true, 'day', true]);
    expect(starts(rowsOf([first], 'none'))).toEqual(['beginning', 'day', true]);
    expect(rowsOf([], 'none')).toEqual([]);
  });

  test('a gap is followed by a new group', () => {
    expect(starts(rowsOf([entry(), gap(), entry()]))).toEqual([true, 'gap', true]);
  });

  test('shown rows stay as they are when older messages come above them', () => {
    const timeline = new Timeline();
    const shown = [entry({ isPageStart: true }), entry(), entry({ author: 'Mira' })];
    const before = timeline.rows({ entries: shown, pending: [], older: 'more' });
    const page = [entry({ isPageStart: true }), entry()];
    const after = timeline.rows({ entries: [...page, ...shown], pending: [], older: 'none' });
    const kept = after.slice(-before.length);
    expect(kept.every((row, index) => row === before[index])).toBe(true);
    expect(starts(after)).toEqual(['beginning', 'day', true, false, true, false, true]);
  });

  test('pending messages are shown after all others, and only once when they have come back', () => {
    const timeline = new Timeline();
    const rows = timeline.rows({ entries: [entry()], pending: [pending('n')], older: 'more' });
    expect(rows.at(-1)).toMatchObject({ key: 'n', delivery: { state: 'sending' } });
    const entries = [entry(), entry({ key: 'n', author: 'Mira', isOwn: true })];
    const settled = timeline.rows({ entries, pending: [pending('n')], older: 'more' });
    expect(settled.map(({ key }) => key).filter((key) => key === 'n')).toHaveLength(1);
    expect(settled.at(-1)).toMatchObject({ key: 'n', delivery: undefined });
  });

  test('the timeline is the same whether it grows step by step or is built at once', () => {
    const some = fc.record({
      author: fc.constantFrom('Ada', 'Mira'),
      minutes: fc.nat({ max: 4000 }),
      isGap: fc.boolean(),
      isPageStart: fc.boolean(),
      where: fc.constantFrom('end', 'start', 'middle'),
    });
    fc.assert(
      fc.property(fc.array(some, { maxLength: 25 }), (all) => {
        const timeline = new Timeline();
        let entries: readonly (MessageEntry | GapEntry)[] = [];
        for (const { author, minutes, isGap, isPageStart, where } of all) {
          const createdAtMs = NOON + minutes * MINUTE;
          const next = isGap ? gap() : entry({ author, createdAtMs, isPageStart });
          const place = { end: entries.length, start: 0, middle: entries.length >> 1 }[where];
          entries = entries.toSpliced(place, 0, next);
          const rows = timeline.rows({ entries, pending: [], older: 'more' });
          expect(rows).toEqual(rowsOf(entries));
        }
      }),
    );
  });
});
