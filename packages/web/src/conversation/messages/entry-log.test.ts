import { parseId, type Id } from '@hearth/protocol';
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { ReactionChange } from '@hearth/sdk';
import { EntryLog, type NewMessage } from './entry-log.ts';
import type { ConversationEntry } from './entry.ts';

function id(number: number): Id {
  const parsed = parseId(String(number));
  if (parsed === undefined) throw new Error(`${number} is not an identifier`);
  return parsed;
}

function message(number: number, over: Partial<NewMessage> = {}): NewMessage {
  return {
    id: id(number),
    author: 'Ada',
    content: `message ${number}`,
    createdAtMs: number * 1000,
    nonce: undefined,
    isOwn: false,
    isPageStart: false,
    ...over,
  };
}

const contents = (log: EntryLog) =>
  log.snapshot().map((entry) => (entry.kind === 'message' ? entry.content : 'gap'));

/** Messages in the order in which they were posted, and the steps in which they become known. */
const steps = fc.integer({ min: 1, max: 40 }).chain((count) => {
  const page = fc
    .tuple(fc.nat({ max: count - 1 }), fc.integer({ min: 1, max: 12 }))
    .map(([from, length]) => ({ from, to: Math.min(count, from + length) }));
  const live = fc.nat({ max: count - 1 }).map((index) => ({ index }));
  return fc.record({
    count: fc.constant(count),
    steps: fc.array(fc.oneof(page, live), { maxLength: 30 }),
  });
});

describe('the log of a conversation', () => {
  test('the log has each message once and in order, in whatever order pages and live messages arrive', () => {
    fc.assert(
      fc.property(steps, ({ count, steps: known }) => {
        const log = new EntryLog();
        // Over a digit's boundary: as text, 100 comes before 99.
        const all = Array.from({ length: count }, (_, index) => message(80 + index));
        const expected = new Set<number>();
        for (const step of known) {
          if ('index' in step) {
            log.add(all.at(step.index) ?? message(0));
            expected.add(step.index);
          } else {
            log.addPage(all.slice(step.from, step.to));
            for (let index = step.from; index < step.to; index += 1) expected.add(index);
          }
        }
        const inOrder = [...expected].toSorted((one, other) => one - other);
        expect(contents(log)).toEqual(inOrder.map((index) => `message ${80 + index}`));
        expect(new Set(log.snapshot().map(({ key }) => key)).size).toBe(inOrder.length);
      }),
    );
  });

  test('the log returns which messages of a page are new', () => {
    const log = new EntryLog();
    log.add(message(3));
    expect(log.addPage([message(2), message(3), message(4)]).map(({ content }) => content)).toEqual(
      ['message 2', 'message 4'],
    );
    expect(log.add(message(4))).toBeUndefined();
  });

  test('an own message gets the key of the sent one, even if a page arrives first', () => {
    const log = new EntryLog();
    log.addPage([message(1), message(2)]);
    const own = log.add(message(2, { nonce: 'n', isOwn: true }));
    expect(own?.key).toBe('n');
    expect(log.snapshot().map(({ key }) => key)).toEqual(['1', 'n']);
  });

  test('an own message gets that key also if the page knows whose it is, and keeps what the page knows of it', () => {
    const log = new EntryLog();
    log.addPage([message(1), message(2, { isOwn: true, content: 'changed', version: 2 })]);
    const own = log.add(message(2, { nonce: 'n', isOwn: true }));
    expect(own).toMatchObject({ key: 'n', content: 'changed', version: 2 });
    expect(log.add(message(2, { nonce: 'n', isOwn: true }))).toBeUndefined();
    expect(log.snapshot().map(({ key }) => key)).toEqual(['1', 'n']);
  });

  test('the log never has a key twice, even if a message was posted twice with one nonce', () => {
    const log = new EntryLog();
    log.add(message(1, { nonce: 'n', isOwn: true }));
    log.add(message(2, { nonce: 'n', isOwn: true }));
    expect(log.snapshot().map(({ key }) => key)).toEqual(['n', '2']);
  });

  test('messages without an identifier are kept in the order of arrival', () => {
    const log = new EntryLog();
    // The clock was set back meanwhile.
    for (const [index, content] of ['c', 'a', 'b'].entries())
      log.add(message(0, { id: undefined, content, createdAtMs: 5 - index }));
    expect(contents(log)).toEqual(['c', 'a', 'b']);
  });

  test('a gap comes after the last message before it, and recovered messages before the gap', () => {
    const log = new EntryLog();
    log.addPage([message(1), message(2)]);
    log.add(message(5));
    log.addGap({ fromMs: 2000, untilMs: 5000, afterId: id(2) });
    expect(contents(log)).toEqual(['message 1', 'message 2', 'gap', 'message 5']);
    log.addGap({ fromMs: 6000, untilMs: 7000, afterId: undefined });
    log.add(message(8));
    expect(contents(log).slice(3)).toEqual(['message 5', 'gap', 'message 8']);
  });

  test('the oldest messages are forgotten, and can be added again', () => {
    const log = new EntryLog();
    log.addPage([message(1), message(2), message(3)]);
    expect(log.trim(3)).toBe(false);
    expect(log.trim(1)).toBe(true);
    expect(contents(log)).toEqual(['message 3']);
    log.add(message(2));
    log.addPage([message(1)]);
    expect(contents(log)).toEqual(['message 1', 'message 2', 'message 3']);
  });

  test('the start of a page is kept if the message there is removed', () => {
    const log = new EntryLog();
    log.addPage([message(4, { isPageStart: true }), message(5), message(6)]);
    expect(log.remove(id(4))).toMatchObject({ content: 'message 4' });
    expect(log.remove(id(4))).toBeUndefined();
    const starts = log.snapshot().map((entry) => entry.kind === 'message' && entry.isPageStart);
    expect(starts).toEqual([true, false]);
    // Later changes find the replaced entry.
    expect(log.update(message(5, { content: 'changed' }))).toBe(true);
    log.remove(id(6));
    expect([contents(log), log.oldestId]).toEqual([['changed'], id(5)]);
    expect(log.update(message(6))).toBe(false);
  });

  test('the log does not change a snapshot', () => {
    const log = new EntryLog();
    log.add(message(1));
    const before: readonly ConversationEntry[] = log.snapshot();
    log.add(message(2));
    expect(before).toHaveLength(1);
  });
});

describe('[WC116][WC118] a change', () => {
  const reaction = (emoji: string, over: Partial<ReactionChange> = {}): ReactionChange => ({
    id: id(1),
    emoji,
    count: 1,
    user_id: id(7),
    version: 2,
    isAdded: true,
    ...over,
  });
  const only = (log: EntryLog) => {
    const [entry] = log.snapshot();
    if (entry?.kind !== 'message') throw new Error('there is no message');
    return entry;
  };

  test('that is older than what is there changes nothing', () => {
    const log = new EntryLog();
    log.add(message(1, { version: 3, content: 'three' }));
    expect(log.update({ id: id(1), author: 'Ada', content: 'two', version: 2 })).toBe(false);
    expect(log.react(reaction('👍', { version: 3 }), undefined)).toBe(false);
    expect(only(log)).toMatchObject({ content: 'three', version: 3 });
    expect(log.update({ id: id(1), author: 'Ada', content: 'four', version: 4 })).toBe(true);
    expect(only(log)).toMatchObject({ content: 'four', version: 4 });
  });

  test('a change of the text keeps what only the reader knows of the reactions', () => {
    const log = new EntryLog();
    log.add(message(1, { version: 2, reactions: [{ emoji: '👍', count: 2, mine: true }] }));
    const reactions = [{ emoji: '👍', count: 3 }];
    log.update({ id: id(1), author: 'Ada', content: 'new', version: 4, reactions });
    expect(only(log).reactions).toEqual([{ emoji: '👍', count: 3, mine: true }]);
  });

  test('a change of the reactions is applied once, whether the answer or the event comes first', () => {
    for (const isAnswerFirst of [true, false]) {
      const log = new EntryLog();
      log.add(message(1));
      const answer = () => log.setReaction(id(1), { emoji: '👍', count: 1, mine: true });
      const event = () => log.react(reaction('👍'), id(7));
      for (const step of isAnswerFirst ? [answer, event] : [event, answer]) step();
      expect(only(log)).toMatchObject({
        version: 2,
        reactions: [{ emoji: '👍', count: 1, mine: true }],
      });
      log.react(reaction('👍', { version: 3, count: 0, isAdded: false }), id(7));
      expect(only(log).reactions).toEqual([]);
    }
  });
});
