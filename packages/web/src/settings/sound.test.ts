import { afterEach, expect, test } from 'bun:test';
import { Sound } from './sound.ts';

/** The part of a browser's audio that one note needs, and when notes were played. */
class FakeAudio {
  static readonly notes: number[] = [];
  static nowS = 0;
  readonly destination = {};

  get currentTime(): number {
    return FakeAudio.nowS;
  }

  createGain() {
    return { gain: ramp(), connect: () => {} };
  }

  createOscillator() {
    return {
      frequency: ramp(),
      connect: () => {},
      start: (atS: number) => void FakeAudio.notes.push(atS),
      stop: () => {},
    };
  }
}

function ramp() {
  return { setValueAtTime: () => {}, exponentialRampToValueAtTime: () => {} };
}

afterEach(() => {
  Reflect.deleteProperty(globalThis, 'AudioContext');
  FakeAudio.notes.length = 0;
});

test('[WC64] many messages at once are one sound, and a later one is another', () => {
  Object.assign(globalThis, { AudioContext: FakeAudio });
  const sound = new Sound();
  for (let count = 0; count < 300; count += 1) sound.play();
  FakeAudio.nowS = 5;
  for (let count = 0; count < 300; count += 1) sound.play();
  expect(FakeAudio.notes).toEqual([0, 5]);
});

test('[WC64] a browser without audio stays silent', () => {
  new Sound().play();
  expect(FakeAudio.notes).toEqual([]);
});
