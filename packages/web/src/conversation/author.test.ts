import { describe, expect, test } from 'bun:test';
import { initialOf, mixesScripts, nameColour, shownName } from './author.ts';

describe('a name', () => {
  test('a name cannot reverse the line, break it or be empty', () => {
    expect(shownName('a\u202Etxt.exe')).toBe('a\u{FFFD}txt.exe');
    expect(shownName('a\nb\u2028c\u0000')).toBe('a\u{FFFD}b\u{FFFD}c\u{FFFD}');
    expect(shownName('  ')).toBe('\u{FFFD}');
    expect(shownName('مريم 👩‍👩‍👧')).toBe('مريم 👩‍👩‍👧');
  });

  test('[WC32] always has the same colour, and names have all 32 colours', () => {
    expect(nameColour('Ada')).toBe(nameColour('Ada'));
    expect(nameColour('Ada')).not.toBe(nameColour('Аda'));
    const names = Array.from({ length: 1_000 }, (_, index) => nameColour(`name ${index}`));
    const counts = Map.groupBy(names, (each) => each);
    expect(counts.size).toBe(32);
    for (const each of counts.values()) expect(each.length).toBeGreaterThan(10);
  });

  test('[WC32] a name is marked if it mixes scripts, but not if that is usual', () => {
    for (const name of ['pаypal', 'Αda', 'Ada да', 'שלום ada']) {
      expect([name, mixesScripts(name)]).toEqual([name, true]);
    }
    for (const name of [
      'Ada 2',
      'Привет!',
      '太郎 Taro',
      'ひらがなとカタカナ',
      'naïve',
      '👩‍👩‍👧',
      '김 Kim',
    ]) {
      expect([name, mixesScripts(name)]).toEqual([name, false]);
    }
  });

  test('a name is abbreviated to a whole character', () => {
    expect(initialOf('ada')).toBe('A');
    expect(initialOf('👩‍👩‍👧 family')).toBe('👩‍👩‍👧');
    expect(initialOf(' \u202Ex')).toBe('\u{FFFD}');
    expect(initialOf(`a${'\u0301'.repeat(40)}`)).toBe('?');
  });
});
