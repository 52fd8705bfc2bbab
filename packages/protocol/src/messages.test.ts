import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import cases from '../test/data/messages.json' with { type: 'json' };
import { AUTHOR_LENGTH, maxMessageBytes, MOST_NONCE_CHARACTERS } from './lengths.ts';
import {
  lobbyMessageSchema,
  messageListSchema,
  messageSchema,
  postedMessageSchema,
} from './messages.ts';

const schema = messageSchema(2048);

function repeated([unit, times]: readonly (string | number)[]): string {
  return String(unit).repeat(Number(times));
}

function refusedField(value: unknown, messageLimit = 2048): PropertyKey | undefined {
  return messageSchema(messageLimit).safeParse(value).error?.issues[0]?.path[0];
}

test.each(cases.accepted)(
  '[ME2][ME3][ME4][ME5] a message may have $what',
  ({ author, content }) => {
    const message = { author: repeated(author), content: repeated(content) };
    expect(schema.parse(message)).toEqual(message);
  },
);

test.each(cases.refused)(
  '[ME2][ME3][ME4] a message may not have $what',
  ({ author, content, field }) => {
    expect(refusedField({ author: repeated(author), content: repeated(content) })).toBe(field);
  },
);

test.each(cases.halved)('[ME4] a message may not have $what', ({ json, field }) => {
  expect(refusedField(JSON.parse(json))).toBe(field);
});

test.each(cases.escaped)('[ME4] a message may have $what', ({ json, author, content }) => {
  expect(schema.parse(JSON.parse(json))).toEqual({ author, content });
});

test.each(cases.mistyped)('[ME1] a message may not have $what', ({ message, field }) => {
  expect(refusedField(message)).toBe(field);
});

test('[ME2] an author has 2 to 32 characters', () => {
  const sizes = Array.from({ length: 64 }, (_, size) => size);
  const accepted = sizes.filter(
    (size) => refusedField({ author: '😀'.repeat(size), content: 'x' }) === undefined,
  );
  expect([accepted.at(0), accepted.at(-1), accepted.length]).toEqual([2, 32, 31]);
  expect(AUTHOR_LENGTH).toEqual({ min: 2, max: 32 });
});

test('[ME3] a content has from 1 to message_limit characters, whatever that limit is', () => {
  const limits = fc.integer({ min: 1, max: 5000 });
  fc.assert(
    fc.property(limits, fc.constantFrom('a', '語', '😀', '\ue000', '\0'), (limit, unit) => {
      const message = (size: number) => ({ author: 'ada', content: unit.repeat(size) });
      expect(refusedField(message(0), limit)).toBe('content');
      expect(refusedField(message(1), limit)).toBeUndefined();
      expect(refusedField(message(limit), limit)).toBeUndefined();
      expect(refusedField(message(limit + 1), limit)).toBe('content');
    }),
  );
});

test('[ME5] a message keeps its two fields, and every other field is dropped', () => {
  const posted: unknown = JSON.parse(
    '{"id":1,"content":"x","__proto__":{"polluted":true},"constructor":null,"author":"ada","d":[{}]}',
  );
  const message = schema.parse(posted);
  expect(JSON.stringify(message)).toBe('{"author":"ada","content":"x"}');
  expect(Object.getPrototypeOf(message)).toBe(Object.prototype);
});

describe('[LB9] a posted message', () => {
  const posted = postedMessageSchema(2048);
  const message = { author: 'ada', content: 'x' };

  test('a message is valid with or without a nonce', () => {
    expect(posted.parse(message)).toEqual(message);
    expect(posted.parse({ ...message, nonce: 'a nonce' })).toEqual({
      ...message,
      nonce: 'a nonce',
    });
    expect(schema.parse({ ...message, nonce: 'a nonce' })).toEqual(message);
    expect(posted.safeParse({ author: 'a', content: 'x' }).error?.issues[0]?.path).toEqual([
      'author',
    ]);
    expect(posted.safeParse({ nonce: '' }).success).toBe(false);
  });

  test.each(['', '\0', '1', 'é'.repeat(64), '😀'.repeat(MOST_NONCE_CHARACTERS), '</script>\u2028'])(
    'may have the nonce %j',
    (nonce) => {
      expect(posted.parse({ ...message, nonce })).toEqual({ ...message, nonce });
    },
  );

  test.each<{ readonly nonce: unknown }>([
    { nonce: 'x'.repeat(65) },
    { nonce: '😀'.repeat(65) },
    { nonce: '\ud83d' },
    { nonce: 1 },
    { nonce: null },
    { nonce: true },
    { nonce: [] },
    { nonce: ['x'] },
    { nonce: {} },
  ])('a message may not have %j', ({ nonce }) => {
    const { error } = posted.safeParse({ ...message, nonce });
    expect(error?.issues[0]?.path).toEqual(['nonce']);
  });

  test('[RS7] a message fits into the largest body even in its longest spelling', () => {
    const escaped = (count: number) => '\\ud83d\\ude00'.repeat(count);
    const texts = `"author":"${escaped(32)}","content":"${escaped(9)}","nonce":"${escaped(64)}"`;
    const body = `{${texts}}`;
    expect(postedMessageSchema(9).safeParse(JSON.parse(body)).success).toBe(true);
    expect(Buffer.byteLength(body)).toBeLessThan(maxMessageBytes(9));
  });
});

describe('[LB1] a message of the lobby', () => {
  const message = { id: '7', author: 'ada', content: 'x', created_at: 1_800_000_000_000 };

  test('a message has an id, an author, a content and a time, and nothing else', () => {
    expect<unknown>(lobbyMessageSchema.parse({ ...message, nonce: 'x' })).toEqual(message);
    for (const field of Object.keys(message)) {
      const { [field as keyof typeof message]: _left, ...others } = message;
      expect(lobbyMessageSchema.safeParse(others).success).toBe(false);
    }
    expect<unknown>(messageListSchema.parse([message])).toEqual([message]);
    expect(messageListSchema.parse([])).toEqual([]);
  });

  test.each([
    { id: 7 },
    { id: '07' },
    { id: '' },
    { id: '9'.repeat(39) },
    { created_at: 0.5 },
    { created_at: '1800000000000' },
  ])('a message is refused with %j', (wrong) => {
    expect(lobbyMessageSchema.safeParse({ ...message, ...wrong }).success).toBe(false);
  });
});

test('[ME1] inherited fields do not count', () => {
  expect(refusedField(JSON.parse('{"__proto__":{"author":"ada","content":"x"}}'))).toBe('author');
});
