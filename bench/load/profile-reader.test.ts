import { formatId } from '@hearth/protocol';
import { describe, expect, test } from 'bun:test';
import {
  documentedText,
  helloText,
  profileText,
} from '../../packages/server/src/components/gateway/event-texts.ts';
import { textFrame } from './frame.ts';
import { AVERAGE_EVENT, MESSAGE, MESSAGE_EVENT, PROFILE_EVENT } from './message.ts';
import { ProfileReader, type Place } from './profile-reader.ts';

const FROM: Place = { epoch: 'e', position: 7 };
const SECONDS_IN_2026 = 130_000_000;

const delivery = (position: number, content = MESSAGE.content) => {
  const id = formatId({ seconds: SECONDS_IN_2026, instanceId: 2 ** 40, sequence: position });
  const d = { id, author: MESSAGE.author, content, created_at: 1_795_000_000_000 + position };
  const event = { op: 'MESSAGE_CREATE', d } as const;
  return { stream: 'lobby', event, epoch: FROM.epoch, position } as const;
};
const event = (position: number) => textFrame(profileText(delivery(position)));
const hello = (place: Place, recovered: boolean | null) => {
  const text = Buffer.from(helloText(place, recovered));
  return Buffer.from([0x81, text.byteLength, ...text]);
};
const events = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, at) => event(first + at));
const resumed = (...frames: readonly Uint8Array[]) => Buffer.concat([hello(FROM, true), ...frames]);

test('events are as long as those of the instance', () => {
  expect(profileText(delivery(1_000))).toHaveLength(PROFILE_EVENT.length);
  expect(documentedText(delivery(1_000).event)).toBe(MESSAGE_EVENT);
  const average = (PROFILE_EVENT.length + MESSAGE_EVENT.length) / 2;
  expect(Math.abs(AVERAGE_EVENT.length - average)).toBeLessThan(1);
});

describe('a reader of profile 1', () => {
  const bytes = resumed(...events(8, 120));

  test.each([1, 2, 3, 100, 127, 128, 1_000, bytes.byteLength])(
    'events are counted, but not HELLO, in pieces of %d bytes',
    (size) => {
      const reader = new ProfileReader(FROM);
      let count = 0;
      for (let at = 0; at < bytes.byteLength; at += size) {
        count += reader.take(bytes.subarray(at, at + size));
      }
      expect(count).toBe(113);
      expect(reader.place).toEqual({ ...FROM, position: 120 });
    },
  );

  test('an incomplete event is not counted', () => {
    const reader = new ProfileReader(FROM);
    expect(reader.take(bytes.subarray(0, -1))).toBe(112);
    expect(reader.place.position).toBe(119);
  });

  test('a reader begins at the position in HELLO, and can be awaited until HELLO comes', async () => {
    const reader = new ProfileReader();
    expect(reader.take(hello({ epoch: 'e', position: 41 }, null))).toBe(0);
    await reader.greeted;
    expect(reader.take(event(42))).toBe(1);
    expect(reader.place).toEqual({ epoch: 'e', position: 42 });
  });

  test.each<[string, Buffer]>([
    ['an event is missing', resumed(...events(8, 10), event(12))],
    ['an event comes twice', resumed(...events(8, 10), event(10))],
    ['the first event is not the expected one', resumed(event(9))],
    ['an event is not the message', resumed(textFrame(profileText(delivery(8, 'x'.repeat(90)))))],
    ['HELLO does not say recovered', hello(FROM, false)],
    ['HELLO has another position', hello({ ...FROM, position: 8 }, true)],
    ['HELLO has another epoch', hello({ ...FROM, epoch: 'f' }, true)],
    ['the connection is closed', resumed(...events(8, 10), Buffer.from([0x88, 2, 3, 0xe8]))],
    [
      'a PONG is among the events',
      resumed(Buffer.from('\x81\x0d{"op":"PONG"}', 'latin1'), event(8)),
    ],
  ])('a reader throws if %s', (_, wrong) => {
    const reader = new ProfileReader(FROM);
    expect(() => {
      reader.take(wrong);
      // An event that is only counted by its length is noticed with the next event.
      reader.take(event(13));
    }).toThrow();
  });
});
