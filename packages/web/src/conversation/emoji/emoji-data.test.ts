import { expect, test } from 'bun:test';
import { emojiNamed, groupsOf, loadEmoji, searchEmoji, suggestEmoji } from './emoji-data.ts';

const data = await loadEmoji();

test('[WC34] an emoji is found by its name, the beginning of a name, and a tag', () => {
  expect(emojiNamed(data, 'tada')).toBe('🎉');
  expect(emojiNamed(data, 'nothing_like_it')).toBeUndefined();
  expect(searchEmoji(data, 'tad')[0]?.emoji).toBe('🎉');
  expect(searchEmoji(data, 'thumbs up')[0]?.emoji).toBe('👍');
  expect(searchEmoji(data, 'nothing like it')).toEqual([]);
  expect(suggestEmoji(data, 'thumbs')[0]).toEqual({ insert: '👍', label: ':+1:', emoji: '👍' });
  expect(suggestEmoji(data, 'heart')).toHaveLength(8);
});

test('[WC34] every emoji is in one group', () => {
  const groups = groupsOf(data);
  expect(groups.map(({ emoji }) => emoji.length).reduce((a, b) => a + b)).toBe(data.length);
  expect(groups[0]?.name).toBe('Smileys & Emotion');
});
