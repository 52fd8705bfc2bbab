import { expect, test } from 'bun:test';
import { clockTime } from './clock-time.ts';
import { isAudio } from './file-kind.ts';
import { OnePlayer } from './one-player.ts';

test('[WC28][WC28a] a player that begins pauses the one before', () => {
  const paused: string[] = [];
  const player = (name: string) => ({ pause: () => void paused.push(name) });
  const [one, two, three] = [player('one'), player('two'), player('three')];
  const players = new OnePlayer();
  players.begin(one);
  players.begin(one);
  players.begin(two);
  expect(paused).toEqual(['one']);
  players.leave(two);
  players.begin(three);
  expect(paused).toEqual(['one']);
});

test.each([
  [0.4, '0:00'],
  [65, '1:05'],
  [3_605, '1:00:05'],
  [Number.NaN, undefined],
  [Number.POSITIVE_INFINITY, undefined],
])('[WC28] %d seconds are shown as %p', (seconds, shown) => {
  expect(clockTime(seconds)).toBe(shown);
});

test('[WC28][WC28a] audio is known by the ending of its name, and only if it is nothing else', () => {
  expect(isAudio({ name: 'song.MP3', metadata: { type: 'other' } })).toBe(true);
  expect(isAudio({ name: 'song.txt', metadata: { type: 'other' } })).toBe(false);
  expect(isAudio({ name: 'song.mp3', metadata: { type: 'text' } })).toBe(false);
});
