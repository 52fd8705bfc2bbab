import { describe, expect, test } from 'bun:test';
import { mentionsName } from './mentions.ts';

describe('[WC33][SK15] a message mentions somebody', () => {
  test('by @name as a whole word, in any case', () => {
    for (const text of ['@Ada', 'hi @ada!', 'and (@ADA)', '@ada\nhello', 'a@b @ada']) {
      expect([text, mentionsName(text, 'Ada')]).toEqual([text, true]);
    }
    for (const text of ['Ada', 'hi Ada', '@adam', 'ada@ada.org', '@@ada', '']) {
      expect([text, mentionsName(text, 'Ada')]).toEqual([text, false]);
    }
  });

  test('by the name at the beginning, before a colon or a comma', () => {
    expect(mentionsName('ada: are you there?', 'Ada')).toBe(true);
    expect(mentionsName('Ada, are you there?', 'Ada')).toBe(true);
    expect(mentionsName('Adam: are you there?', 'Ada')).toBe(false);
  });

  test('by names with spaces and special characters', () => {
    expect(mentionsName('hi @Ada L. (she)', 'Ada L. (she)')).toBe(true);
    expect(mentionsName('hi @Ada Lx', 'Ada L.')).toBe(false);
    expect(mentionsName('hi @Zoë', 'zoë')).toBe(true);
  });

  test('but not in code, and nobody without a name is mentioned', () => {
    const code = ['`@ada` and\n```\n@ada\n```', '    @ada', '```\n@ada', '````\n```\n@ada\n````'];
    for (const text of [...code, '    ada: x', String.raw`\@ada`, 'https://example.org/?to=@ada']) {
      expect([text, mentionsName(text, 'Ada')]).toEqual([text, false]);
    }
    expect(mentionsName('hi @_ada_', '_ada_')).toBe(true);
    expect(mentionsName('@', '')).toBe(false);
  });
});
