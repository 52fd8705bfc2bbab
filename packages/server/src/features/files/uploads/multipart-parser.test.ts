import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { MultipartError, MultipartParser } from './multipart-parser.ts';

const BOUNDARY = 'a-Boundary_1';
const MAX_HEAD_BYTES = 16 * 1024;

interface FormPart {
  readonly head: string;
  readonly data: Uint8Array;
}

interface Form {
  readonly parts: readonly FormPart[];
  readonly preamble?: string;
  readonly epilogue?: string;
  readonly padding?: string;
}

interface Outcome {
  readonly parts: readonly FormPart[];
  readonly overheadBytes: number;
  /** The most bytes that were taken and neither passed on nor counted. */
  readonly mostHeld: number;
}

function encode({ parts, preamble, epilogue = '\r\n', padding = '' }: Form): Buffer {
  const pieces: (string | Uint8Array)[] = preamble === undefined ? [] : [preamble, '\r\n'];
  for (const { head, data } of parts) {
    const lines = head === '' ? '\r\n' : `${head}\r\n\r\n`;
    pieces.push(`--${BOUNDARY}${padding}\r\n`, lines, data, '\r\n');
  }
  pieces.push(`--${BOUNDARY}--`, epilogue);
  return Buffer.concat(pieces.map((piece) => Buffer.from(piece)));
}

/** Feeds chunks whose memory is overwritten afterwards, as the runtime may do with its own. */
function parse(chunks: readonly Uint8Array[]): Outcome {
  const parser = new MultipartParser(BOUNDARY);
  const parts: { head: string; data: Buffer }[] = [];
  let taken = 0;
  let handedOn = 0;
  let mostHeld = 0;
  for (const chunk of chunks) {
    const memory = Uint8Array.from(chunk);
    for (const event of parser.push(memory)) {
      const part = parts.at(-1);
      if (event.type === 'head') parts.push({ head: event.head.trim(), data: Buffer.alloc(0) });
      else if (part !== undefined) part.data = Buffer.concat([part.data, event.data]);
      if (event.type === 'data') handedOn += event.data.byteLength;
    }
    memory.fill(0x2d);
    taken += memory.byteLength;
    mostHeld = Math.max(mostHeld, taken - handedOn - parser.overheadBytes);
  }
  parser.end();
  return { parts, overheadBytes: parser.overheadBytes, mostHeld };
}

function cutAt(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const cuts = [0, ...places.map((place) => place % (bytes.length + 1)), bytes.length];
  const sorted = cuts.toSorted((a, b) => a - b);
  return sorted.slice(1).map((end, index) => bytes.subarray(sorted[index], end));
}

const oneByteEach = (bytes: Uint8Array) => Array.from(bytes, (byte) => Uint8Array.of(byte));

const nearDelimiter = fc.constantFrom(
  ...['\r', '\n', '\r\n', '--', '\r\n-', '\r\n--', '\r\n\r\n', `--${BOUNDARY}`, `--${BOUNDARY}--`],
  `\r\n--${BOUNDARY.slice(0, -1)}`,
  `\r\n--${BOUNDARY.toLowerCase()}`,
  `\r\r\n--${BOUNDARY.slice(1)}`,
);

const data = fc
  .array(fc.oneof(nearDelimiter, fc.uint8Array({ maxLength: 20 })), { maxLength: 8 })
  .map((pieces) => Buffer.concat(pieces.map((piece) => Buffer.from(piece))))
  .filter((bytes) => !bytes.includes(`\r\n--${BOUNDARY}`));

const word = fc.oneof(fc.stringMatching(/^[!-~]{1,10}$/), fc.constantFrom('naïve', 'Ж', '💾'));
const headLine = fc.tuple(word, word).map(([name, value]) => `${name}: ${value}`);
const head = fc.array(headLine, { maxLength: 3 }).map((lines) => lines.join('\r\n'));

const around = fc
  .array(fc.oneof(nearDelimiter, fc.string()), { maxLength: 4 })
  .map((pieces) => pieces.join(''))
  .filter((text) => !`\r\n${text}`.includes(`\r\n--${BOUNDARY}`));

const form = fc.record(
  {
    parts: fc.array(fc.record({ head, data }), { maxLength: 4 }),
    preamble: around,
    epilogue: around,
    padding: fc.stringMatching(/^[ \t]{0,256}$/),
  },
  { requiredKeys: ['parts'] },
);

describe('any form', () => {
  test('[FS14] the parts are the same however a form is cut into chunks', () => {
    fc.assert(
      fc.property(form, fc.array(fc.nat(), { maxLength: 30 }), (given, places) => {
        const bytes = encode(given);
        const { parts, overheadBytes } = parse(cutAt(bytes, places));
        expect(parts.map((part) => part.head)).toEqual(given.parts.map((part) => part.head));
        const contents = parts.map((part) => Buffer.from(part.data).toString('hex'));
        expect(contents).toEqual(given.parts.map((part) => Buffer.from(part.data).toString('hex')));
        const dataBytes = given.parts.reduce((sum, part) => sum + part.data.length, 0);
        expect(overheadBytes).toBe(bytes.length - dataBytes);
      }),
    );
  });

  test('[FS14] the parts are the same one byte at a time', () => {
    fc.assert(
      fc.property(form, (given) => {
        const bytes = encode(given);
        const { mostHeld: _held, ...slowly } = parse(oneByteEach(bytes));
        const { mostHeld: _atOnce, ...atOnce } = parse([bytes]);
        expect(slowly).toEqual(atOnce);
      }),
      { numRuns: 50 },
    );
  });

  test('[FS13] that is cut off at any place before its end is refused', () => {
    fc.assert(
      fc.property(form, (given) => {
        const bytes = encode({ ...given, epilogue: '' });
        for (let end = 0; end < bytes.length; end += 1) {
          expect(() => parse([bytes.subarray(0, end)])).toThrow(MultipartError);
        }
        expect(() => parse([bytes])).not.toThrow();
      }),
      { numRuns: 30 },
    );
  });
});

describe('what is not a form', () => {
  const outcomeOf = (chunks: readonly Uint8Array[]) => {
    try {
      return parse(chunks).parts.map((part) => part.head);
    } catch (error) {
      return error instanceof MultipartError ? error.message : error;
    }
  };

  test('[FS13] a body is refused in the same way however it is cut', () => {
    const token = fc.oneof(nearDelimiter, fc.constantFrom(' ', '\t', 'a: b', '-', '\r\n\r\n'));
    fc.assert(
      fc.property(fc.array(token, { maxLength: 12 }), fc.array(fc.nat()), (tokens, places) => {
        const bytes = Buffer.from(tokens.join(''));
        const atOnce = outcomeOf([bytes]);
        expect(outcomeOf(cutAt(bytes, places))).toEqual(atOnce);
        expect(outcomeOf(oneByteEach(bytes))).toEqual(atOnce);
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ['letters after a delimiter', `--${BOUNDARY}x\r\n\r\n\r\n--${BOUNDARY}--`],
    ['a bare line feed', `--${BOUNDARY}\n\r\n\r\n--${BOUNDARY}--`],
    ['a lone carriage return', `--${BOUNDARY}\r\r\n\r\n\r\n--${BOUNDARY}--`],
    ['a single dash', `--${BOUNDARY}-\r\n\r\n\r\n--${BOUNDARY}--`],
    ['too much padding', `--${BOUNDARY}${' '.repeat(257)}\r\n\r\n\r\n--${BOUNDARY}--`],
  ])('[FS13] a body with %s is refused', (_what, text) => {
    const message = 'the form has a malformed delimiter';
    expect(() => parse([Buffer.from(text)])).toThrow(message);
    expect(() => parse(oneByteEach(Buffer.from(text)))).toThrow(message);
  });

  test.each([
    ['nothing at all', ''],
    ['another boundary', '--other\r\n\r\n\r\n--other--'],
    ['a boundary inside of a line', `x--${BOUNDARY}--`],
    ['JSON', '{"file":1}'],
  ])('[FS13] a body of %s is refused', (_what, text) => {
    expect(() => parse([Buffer.from(text)])).toThrow('the form ends too early');
  });
});

test('[FS14] a delimiter may be followed by 256 blanks', () => {
  const padding = ' \t'.repeat(128);
  const part = { head: 'a: b', data: Buffer.from('data') };
  for (const cut of [(bytes: Uint8Array) => [bytes], oneByteEach]) {
    expect(parse(cut(encode({ parts: [part], padding }))).parts).toEqual([part]);
  }
});

describe('memory', () => {
  const partWithHead = (name: string) =>
    encode({ parts: [{ head: name, data: Buffer.from('x') }] });

  test('[FS16] memory holds no more of data than an unfinished delimiter', () => {
    const tricky = Buffer.from(`\r\n--${BOUNDARY.slice(0, -1)}`.repeat(2_000));
    const bytes = encode({ parts: [{ head: '', data: tricky }] });
    expect(parse(oneByteEach(bytes)).mostHeld).toBeLessThan(`\r\n--${BOUNDARY}`.length);
  });

  test('[FS14] a head of 16 KiB is taken and a longer one refused, however it is cut', () => {
    // The line end of the delimiter counts with the head.
    const longest = partWithHead('h'.repeat(MAX_HEAD_BYTES - 2));
    const longer = partWithHead('h'.repeat(MAX_HEAD_BYTES - 1));
    for (const cut of [(bytes: Uint8Array) => [bytes], oneByteEach]) {
      expect(parse(cut(longest)).mostHeld).toBeLessThanOrEqual(MAX_HEAD_BYTES + 3);
      expect(() => parse(cut(longer))).toThrow('the head of a part is too long');
    }
  });

  test('[FS14] an endless head is refused as soon as it is too long', () => {
    const parser = new MultipartParser(BOUNDARY);
    const endless = Buffer.from(`--${BOUNDARY}\r\n${'h'.repeat(MAX_HEAD_BYTES + 10)}`);
    expect(() => [...parser.push(endless)]).toThrow('the head of a part is too long');
  });
});

describe('the shapes that clients send', () => {
  test('[FS14] an empty form has no parts', () => {
    expect(parse([encode({ parts: [] })]).parts).toEqual([]);
  });

  test('[FS9] an empty file is a part without data', () => {
    const empty = { head: 'a: b', data: Buffer.alloc(0) };
    expect(parse([encode({ parts: [empty] })]).parts).toEqual([empty]);
  });

  test('[FS14] what follows the last delimiter is ignored, even if it looks like a part', () => {
    const part = { head: 'a: b', data: Buffer.from('data') };
    const epilogue = `\r\n--${BOUNDARY}\r\n\r\nmore\r\n--${BOUNDARY}--`;
    expect(parse([encode({ parts: [part], epilogue })]).parts).toEqual([part]);
  });

  test('[LI18] a form really ends with the shortest end after data', () => {
    const whole = encode({ parts: [{ head: '', data: Buffer.from('x') }], epilogue: '\r\n' });
    const parser = new MultipartParser(BOUNDARY);
    expect([...parser.push(whole)].map((event) => event.type)).toEqual(['head', 'data']);
    const beforeData = `--${BOUNDARY}\r\n\r\n`.length;
    expect(beforeData + 1 + parser.closingBytes).toBe(whole.length);
  });
});
