import { expect, test } from 'bun:test';
import { drawnEmoji, emojiIn } from './emoji.ts';

const EMOJI = ['👍', '👍🏽', '🏳️‍🌈', '❤️', '❤️‍🔥', '👁️‍🗨️', '1️⃣', '✌🏽', '🕵🏽‍♂️', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '🇩🇪', '☺️', '©️', '👨‍👩‍👧‍👦'];

test.each(EMOJI)('[LA8] %s is one emoji, with and without variation selectors', (emoji) => {
  const bare = emoji.replaceAll(/[\uFE0E\uFE0F]/g, '');
  expect(emojiIn(emoji)).toBe(bare);
  expect(emojiIn(bare)).toBe(bare);
  expect(drawnEmoji(bare)).toBe(emoji);
});

test.each(['', 'a', '1', '#', '👍👍', '👍 ', '🇩', '\uFE0F', '\u200D', ':+1:'])(
  '[LA8] %j is not one emoji',
  (text) => {
    expect(emojiIn(text)).toBeUndefined();
  },
);

test('[LA8] a long text is not one emoji', () => {
  expect(emojiIn('👍'.repeat(100_000))).toBeUndefined();
});
