import { describe, expect, test } from 'bun:test';
import { initialOf, nameHue, shownName } from './author.ts';

describe('a name', () => {
  test('cannot reverse the line, break it or be empty', () => {
    expect(shownName('a\u202Etxt.exe')).toBe('a\u{FFFD}txt.exe');
    expect(shownName('a\nb\u2028c\u0000')).toBe('a\u{FFFD}b\u{FFFD}c\u{FFFD}');
    expect(shownName('  ')).toBe('\u{FFFD}');
    expect(shownName('مريم 👩‍👩‍👧')).toBe('مريم 👩‍👩‍👧');
  });

  test('always has the same hue, and names have many hues', () => {
    expect(nameHue('Ada')).toBe(nameHue('Ada'));
    const hues = Array.from({ length: 400 }, (_, index) => nameHue(`name ${index}`));
    for (let hue = 0; hue < 8; hue += 1) {
      expect(hues.filter((each) => each === hue).length).toBeGreaterThan(20);
    }
  });

  test('is abbreviated to a whole character', () => {
    expect(initialOf('ada')).toBe('A');
    expect(initialOf('👩‍👩‍👧 family')).toBe('👩‍👩‍👧');
    expect(initialOf(' \u202Ex')).toBe('\u{FFFD}');
    expect(initialOf(`a${'\u0301'.repeat(40)}`)).toBe('?');
  });
});
