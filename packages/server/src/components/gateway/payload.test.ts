import { describe, expect, test } from 'bun:test';
import { MOST_PAYLOAD_BYTES } from '@hearth/protocol';
import fc from 'fast-check';
import { newConnection } from './connection.ts';
import {
  isOverControlLimit,
  isOverPayloadLimit,
  isTooLarge,
  readClientEvent,
  windowEnd,
} from './payload.ts';

const openedAt = (now: number) =>
  newConnection({ client: '192.0.2.1', accessCode: undefined, profile: { version: 0 } }, now);

describe('[GW15] payloads of a connection', () => {
  const limit = { reset_after: 10, limit: 3 };
  const verdicts = (times: readonly number[]) => {
    const connection = openedAt(1_000);
    return times.map((now) => isOverPayloadLimit(connection, limit, now));
  };

  test('payloads are allowed up to the limit in a window, and not one more', () => {
    expect(verdicts([1_000, 1_000, 10_999, 10_999])).toEqual([false, false, false, true]);
  });

  test('payloads begin a new window when the last one is over', () => {
    expect(verdicts([1_000, 1_000, 1_000, 11_000, 11_000, 11_000, 20_999])).toEqual([
      false,
      false,
      false,
      false,
      false,
      false,
      true,
    ]);
  });
});

test('[LB22] a client that sent too much may send again at the end of the window', () => {
  const limit = { reset_after: 10, limit: 1 };
  const connection = openedAt(1_000);
  expect(windowEnd(connection, limit)).toBe(11_000);
  expect([10_000, 10_999].map((now) => isOverPayloadLimit(connection, limit, now))).toEqual([
    false,
    true,
  ]);
  expect(windowEnd(connection, limit)).toBe(11_000);
  expect(isOverPayloadLimit(connection, limit, 11_000)).toBe(false);
  expect(windowEnd(connection, limit)).toBe(21_000);
});

test('[GW15] ping and pong frames are counted apart from payloads, in the same windows', () => {
  const limit = { reset_after: 10, limit: 1 };
  const connection = openedAt(1_000);
  const frames = (count: number, now: number) =>
    Array.from({ length: count }, () => isOverControlLimit(connection, limit, now));
  expect(frames(10, 1_000)).not.toContain(true);
  expect(isOverPayloadLimit(connection, limit, 2_000)).toBe(false);
  expect(frames(1, 10_999)).toEqual([true]);
  expect(frames(11, 11_000).indexOf(true)).toBe(10);
});

describe('[GW16] a payload is too large', () => {
  test.each([
    ['ASCII', 'x'.repeat(MOST_PAYLOAD_BYTES), 'x'],
    ['two-byte', 'é'.repeat(MOST_PAYLOAD_BYTES / 2), 'x'],
    ['three-byte', `${'€'.repeat((MOST_PAYLOAD_BYTES - 1) / 3)}x`, 'x'],
    ['four-byte', '😀'.repeat(MOST_PAYLOAD_BYTES / 4), 'x'],
  ])('beyond 64 KiB of %s text', (_, largest, more) => {
    expect(isTooLarge(largest)).toBe(false);
    expect(isTooLarge(largest + more)).toBe(true);
  });

  test('beyond 64 KiB of bytes', () => {
    expect(isTooLarge(new Uint8Array(MOST_PAYLOAD_BYTES))).toBe(false);
    expect(isTooLarge(new Uint8Array(MOST_PAYLOAD_BYTES + 1))).toBe(true);
  });

  test('by its bytes on the wire, whatever characters it has', () => {
    const text = fc
      .tuple(
        fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }),
        fc.integer({ min: 60_000, max: 70_000 }),
      )
      .map(([unit, bytes]) => unit.repeat(Math.round(bytes / Buffer.byteLength(unit))));
    fc.assert(
      fc.property(text, (payload) => {
        expect(isTooLarge(payload)).toBe(Buffer.byteLength(payload) > MOST_PAYLOAD_BYTES);
      }),
    );
  });
});

test.each([
  '{"op":"PING"}',
  ' { "op" : "PING" }\n',
  '{"op":"\\u0050ING"}',
  '{"op":"PING","d":null}',
  '{"d":{"op":"x"},"op":"PING","t":1,"op2":[]}',
])('[GW2] %p is a PING', (payload) => {
  expect(readClientEvent(payload)).toEqual({ op: 'PING' });
});

test.each([
  '',
  ' ',
  'PING',
  '"PING"',
  'null',
  '42',
  '[]',
  '["PING"]',
  '[{"op":"PING"}]',
  '{}',
  '{"op":null}',
  '{"op":"ping"}',
  '{"op":"PING "}',
  '{"op":["PING"]}',
  '{"op":"PONG"}',
  '{"op":"MESSAGE_CREATE","d":{"author":"someone","content":"hello"}}',
  '{"OP":"PING"}',
  '{"op":"PING"',
  "{'op':'PING'}",
  '{"op":"PING"}{"op":"PING"}',
  '{"__proto__":{"op":"PING"}}',
])('[GW5] %p is ignored', (payload) => {
  expect(readClientEvent(payload)).toBeUndefined();
});

test.each([
  ['brackets', '['.repeat(MOST_PAYLOAD_BYTES)],
  ['braces', '{"op":'.repeat(10_000)],
])('[GW5] many %s without end are ignored', (_what, payload) => {
  expect(readClientEvent(payload)).toBeUndefined();
});

test('[GW5] a PING in a binary frame is ignored', () => {
  expect(readClientEvent(Buffer.from('{"op":"PING"}'))).toBeUndefined();
});

test('[GW5] no text makes the parser fail', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), (payload) => {
      readClientEvent(payload);
    }),
  );
});
