import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { readCredentials } from './credentials.ts';

const place = fc.oneof(
  fc.tuple(fc.string(), fc.integer()),
  fc.tuple(fc.string(), fc.integer(), fc.integer()),
  fc.jsonValue(),
);
const data = fc.record(
  {
    token: fc.oneof(fc.string(), fc.jsonValue()),
    resume: fc.oneof(fc.dictionary(fc.string(), place), fc.jsonValue()),
    online: fc.oneof(fc.boolean(), fc.jsonValue()),
    pauses: fc.jsonValue(),
    other: fc.jsonValue(),
  },
  { requiredKeys: [] },
);

test('[GP9][GP10] whatever a client sends, it is a guest only if it names no token, and a place is one or none', () => {
  fc.assert(
    fc.property(fc.oneof(data, fc.jsonValue()), (d) => {
      // As it comes from the wire.
      const received: unknown = JSON.parse(JSON.stringify(d));
      const credentials = readCredentials(received);
      const isObject =
        typeof received === 'object' && received !== null && !Array.isArray(received);
      const token = isObject && 'token' in received ? received.token : undefined;
      const isReadable = isObject && (token === undefined || typeof token === 'string');
      expect(credentials !== undefined).toBe(isReadable);
      expect(credentials?.token).toEqual(isReadable ? token : undefined);
      for (const at of credentials?.resume?.values() ?? []) {
        if (at === undefined) continue;
        expect(Number.isSafeInteger(at.position) && at.position >= 0).toBe(true);
        expect(typeof at.epoch).toBe('string');
      }
    }),
  );
});

test('[GP9] a map of as many places as fit into a payload is read, and costs little', () => {
  const names = Array.from({ length: 4_000 }, (_, index) => [`c:${index}`, ['E', index]]);
  const resume = Object.fromEntries(names);
  expect(JSON.stringify(resume).length).toBeGreaterThan(64 * 1024);
  const { resume: places } = readCredentials({ resume }) ?? {};
  expect([places?.size, places?.get('c:7')]).toEqual([4_000, { epoch: 'E', position: 7 }]);
});
