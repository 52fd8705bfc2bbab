import { describe, expect, test } from 'bun:test';
import { beginningAt, closedEmojiAt, nextOffer, suggestNames } from './completion.ts';

const at = (text: string) => {
  const cursor = text.indexOf('|');
  return beginningAt(text.replace('|', ''), cursor);
};

describe('[WC34] the text before the cursor', () => {
  test('the text is the beginning of a mention', () => {
    expect(at('hi @ad| there')).toEqual({ kind: 'mention', start: 3, end: 6, query: 'ad' });
    expect(at('@|')).toEqual({ kind: 'mention', start: 0, end: 1, query: '' });
    for (const text of ['a@b|', 'hi @a|da', '@a b|', 'ada|'])
      expect([text, at(text)]).toEqual([text, undefined]);
  });

  test('the text is the beginning of an emoji’s name', () => {
    expect(at('yes :ta|')).toEqual({ kind: 'emoji', start: 4, end: 7, query: 'ta' });
    for (const text of [':t|', '12:30|', 'http:ta|', ': ta|'])
      expect([text, at(text)]).toEqual([text, undefined]);
  });

  test('the text is a whole name of an emoji', () => {
    expect(closedEmojiAt('yes :tada:', 10)).toEqual({ start: 4, end: 10, query: 'tada' });
    expect(closedEmojiAt('a:b:', 4)).toBeUndefined();
  });
});

test('[WC34] names are suggested by the beginning of any of their words, whatever the case and accents', () => {
  const names = ['Ada Lovelace', 'Zoë', 'Alan'];
  const suggested = (query: string) => suggestNames(names, query).map(({ insert }) => insert);
  expect(suggested('')).toEqual(['@Ada Lovelace', '@Zoë', '@Alan']);
  expect(suggested('LOVE')).toEqual(['@Ada Lovelace']);
  expect(suggested('zoe')).toEqual(['@Zoë']);
  expect(suggested('x')).toEqual([]);
});

test.each([
  ['ilk', 'İlker'],
  ['kıs', 'KIŞ'],
  ['كت', 'أبو كَتَبَ'],
  ['दी', undefined],
  ['हिन्दी', 'श्री हिन्दी'],
])('[WC34][SE3] %s suggests %s', (query, name) => {
  const names = ['İlker', 'KIŞ', 'أبو كَتَبَ', 'श्री हिन्दी'];
  expect(suggestNames(names, query).map(({ label }) => label)).toEqual(name ? [name] : []);
});

test('[WC179] what the reader has chosen stays chosen if further names come', () => {
  const beginning = { kind: 'mention', start: 0, end: 3, query: 'he' } as const;
  const named = (...names: readonly string[]) => suggestNames(names, 'he');
  const first = nextOffer(undefined, beginning, named('helen', 'henry'));
  expect(first?.chosen).toBe(0);
  const chosen = first && { ...first, chosen: 1 };
  expect(nextOffer(chosen, beginning, named('helen', 'hermes', 'henry'))?.chosen).toBe(2);
  expect(nextOffer(chosen, beginning, named('hermes'))?.chosen).toBe(0);
  // What nobody has chosen is not what stays.
  expect(nextOffer(first, beginning, named('hera', 'helen'))?.chosen).toBe(0);
  // Somebody else may be meant by what is typed next.
  expect(nextOffer(chosen, { ...beginning, end: 4 }, named('hermes', 'henry'))?.chosen).toBe(0);
  expect(nextOffer(chosen, beginning, [])).toBeUndefined();
});
