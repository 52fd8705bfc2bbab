import { expect, test } from 'bun:test';
import { isOneEmoji } from './one-emoji.ts';

test('[WC31] a single emoji is recognised, however many characters it is made of', () => {
  for (const text of ['🎉', ' 👍🏽\n', '👩‍👩‍👧', '🇩🇪', '❤️'])
    expect([text, isOneEmoji(text)]).toEqual([text, true]);
  for (const text of ['', 'a', '1', '🎉🎉', '🎉 yes', ':tada:', '#']) {
    expect([text, isOneEmoji(text)]).toEqual([text, false]);
  }
});
