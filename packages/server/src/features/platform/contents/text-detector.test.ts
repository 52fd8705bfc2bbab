import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { TextDetector } from './text-detector.ts';

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

function isText(...chunks: readonly Uint8Array[]): boolean {
  const detector = new TextDetector();
  for (const chunk of chunks) detector.update(chunk);
  return detector.isText;
}

/** The chunks between the given positions. */
function cut(whole: Uint8Array, places: readonly number[]): Uint8Array[] {
  const inside = places.map((place) => place % (whole.length + 1)).toSorted((a, b) => a - b);
  return [0, ...inside].map((from, index) => whole.subarray(from, inside[index] ?? whole.length));
}

/** Returns the same as a detector, slowly and from the whole at once. */
function isTextSlowly(whole: Uint8Array): boolean {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(whole);
    return Array.from(text).every((char) =>
      char >= ' ' ? char !== '\x7f' : '\t\n\v\f\r\x1b'.includes(char),
    );
  } catch {
    return false;
  }
}

describe('text', () => {
  test.each([
    '',
    'Hearth\n',
    '\ufeffwith a byte order mark',
    'tab\t lines\r\n page\f column\v',
    '\x1b[31mred\x1b[0m',
    'naïve café, Київ, 炉辺, 🔥👩‍👩‍👧',
    '\u0080\u07ff\u0800\ufffd\u{10000}\u{10ffff}',
  ])('[FD5] %j is text', (text) => {
    expect(isText(utf8(text))).toBe(true);
  });

  test('[FD5] text is found however the chunks cut its characters', () => {
    const whole = utf8('aé炉🔥z');
    for (let first = 0; first <= whole.length; first += 1) {
      for (let second = 0; second <= whole.length; second += 1) {
        expect(isText(...cut(whole, [first, second]))).toBe(true);
      }
    }
    expect(isText(...Array.from(whole, (byte) => bytes(byte)))).toBe(true);
  });

  test('[FD5] text is still text after empty chunks, also inside a character', () => {
    expect(isText(bytes(), bytes(0xc3), bytes(), bytes(0xa9), bytes())).toBe(true);
  });

  test('[FD5] text is detected the same in any chunks as in one piece', () => {
    const whole = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }).map(utf8),
      fc.string({ unit: 'grapheme', maxLength: 40 }).map(utf8),
      fc.uint8Array({ maxLength: 12 }),
      fc
        .array(fc.constantFrom(0x41, 0x7f, 0x80, 0xa0, 0xbf, 0xc2, 0xe0, 0xed, 0xef, 0xf0, 0xf4), {
          maxLength: 6,
        })
        .map((values) => bytes(...values)),
    );
    const places = fc.array(fc.nat(60), { maxLength: 8 });
    fc.assert(
      fc.property(whole, places, (content, cuts) => {
        expect(isText(...cut(content, cuts))).toBe(isTextSlowly(content));
      }),
      { numRuns: 5000 },
    );
  });
});

describe('what is not text', () => {
  const controls = Array.from({ length: 32 }, (_, code) => code).filter(
    (code) => !'\t\n\v\f\r\x1b'.includes(String.fromCharCode(code)),
  );

  test.each([...controls, 0x7f])(
    '[FD5] bytes with the control character %i are not text',
    (code) => {
      expect(isText(utf8('before'), bytes(code), utf8('after'))).toBe(false);
      expect(isText(utf8('before the character, far from either end'), bytes(code))).toBe(false);
    },
  );

  test.each([
    ['a continuation byte that continues nothing', bytes(0x80)],
    ['an overlong sequence', bytes(0xc0, 0xaf)],
    ['a longer overlong sequence', bytes(0xe0, 0x80, 0xaf)],
    ['half of a surrogate pair', bytes(0xed, 0xa0, 0x80)],
    ['a code point above U+10FFFF', bytes(0xf4, 0x90, 0x80, 0x80)],
    ['a byte UTF-8 never has', bytes(0xff)],
    ['a sequence cut off by a letter', bytes(0xe7, 0x82, 0x41)],
    ['four continuation bytes after a lead of three', bytes(0xe7, 0x82, 0x89, 0x80, 0x80)],
  ])('[FD5] bytes with %s are not text', (_, sequence) => {
    expect(isText(sequence, utf8('more'))).toBe(false);
    for (let at = 1; at < sequence.length; at += 1) {
      expect(isText(sequence.subarray(0, at), sequence.subarray(at), utf8('more'))).toBe(false);
    }
  });

  test.each([bytes(0xc3), bytes(0xe7, 0x82), bytes(0xf0, 0x9f, 0x94)])(
    '[FD5] bytes that end inside a character are not text: %j',
    (tail) => {
      expect(isText(utf8('text'), tail)).toBe(false);
      expect(isText(utf8('text'), ...Array.from(tail, (byte) => bytes(byte)))).toBe(false);
    },
  );

  test('[FD5] a file that begins with other bytes is not text, whatever follows', () => {
    expect(isText(bytes(0), utf8('all of this is text'))).toBe(false);
    expect(isText(bytes(0xc3), bytes(0x28), utf8('all of this is text'))).toBe(false);
  });
});
