import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import cases from '../test/data/ids.json' with { type: 'json' };
import {
  compareIds,
  firstIdAt,
  formatId,
  ID_EPOCH_SECONDS,
  idAfter,
  idParts,
  IDS_PER_SECOND,
  parseId,
} from './ids.ts';
import { idSchema } from './id-schema.ts';

describe('an identifier', () => {
  test('[ID1] an identifier counts seconds since 1650000000, with 65,536 sequence numbers in each second', () => {
    expect([ID_EPOCH_SECONDS, IDS_PER_SECOND]).toEqual([1_650_000_000, 2 ** 16]);
  });

  test.each(cases.accepted)(
    '[ID1] consists of 64 bits of time, 48 of instance and 16 of sequence: $what',
    (row) => {
      const { id, seconds, instance_id: instanceId, sequence } = row;
      const parts = { seconds, instanceId, sequence };
      expect(String(formatId(parts))).toBe(id);
      const parsed = parseId(id);
      expect(parsed === undefined ? undefined : idParts(parsed)).toEqual(parts);
    },
  );

  test('[ID1] an identifier can be split into its parts again, whatever they are', () => {
    const parts = fc.record({
      seconds: fc.maxSafeNat(),
      instanceId: fc.nat({ max: 2 ** 48 - 1 }),
      sequence: fc.nat({ max: 2 ** 16 - 1 }),
    });
    fc.assert(
      fc.property(parts, (whole) => {
        expect(idParts(formatId(whole))).toEqual(whole);
      }),
    );
  });

  test('[ID1] an identifier is greater than every identifier of an earlier second, whichever instance made it', () => {
    const earlier = formatId({ seconds: 7, instanceId: 2 ** 48 - 1, sequence: 65_535 });
    const later = formatId({ seconds: 8, instanceId: 0, sequence: 0 });
    expect(BigInt(later) - BigInt(earlier)).toBe(1n);
  });
});

test('[ID1][LB1] identifiers are compared as numbers', () => {
  const number = fc.oneof(
    fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }),
    fc.bigInt({ min: 0n, max: 1_000n }),
  );
  const id = number.map((value) => {
    const parsed = parseId(value.toString());
    if (parsed === undefined) throw new Error(`${value} is an identifier`);
    return parsed;
  });
  fc.assert(
    fc.property(id, id, (one, other) => {
      const difference = BigInt(one) - BigInt(other);
      const sign = difference === 0n ? 0 : difference < 0n ? -1 : 1;
      expect(Math.sign(compareIds(one, other))).toBe(sign);
      expect(compareIds(one, one)).toBe(0);
    }),
  );
  fc.assert(
    fc.property(fc.array(id), (ids) => {
      const sorted = ids.toSorted(compareIds).map((each) => BigInt(each));
      expect(sorted.every((value, i) => i === 0 || value >= (sorted[i - 1] ?? 0n))).toBe(true);
    }),
  );
});

test('[ID1][LB25] the first identifier of a moment is after those of earlier seconds, and not after its own', () => {
  const moment = fc.integer({ min: ID_EPOCH_SECONDS * 1_000, max: 2 ** 45 });
  const own = fc.record({
    instanceId: fc.nat({ max: 2 ** 48 - 1 }),
    sequence: fc.nat({ max: 2 ** 16 - 1 }),
  });
  fc.assert(
    fc.property(moment, own, (unixMs, rest) => {
      const seconds = Math.floor(unixMs / 1_000) - ID_EPOCH_SECONDS;
      const first = firstIdAt(unixMs);
      expect(idParts(first)).toEqual({ seconds, instanceId: 0, sequence: 0 });
      expect(compareIds(first, formatId({ seconds, ...rest }))).toBeLessThanOrEqual(0);
      if (seconds === 0) return;
      expect(compareIds(first, formatId({ seconds: seconds - 1, ...rest }))).toBeGreaterThan(0);
    }),
  );
  expect(String(firstIdAt(0))).toBe('0');
});

test('[ID1] the identifier after the largest does not exist', () => {
  expect(String(idAfter(formatId({ seconds: 0, instanceId: 0, sequence: 9 })))).toBe('10');
  const largest = parseId(cases.largest);
  expect(largest === undefined || idAfter(largest)).toBeUndefined();
});

describe('the text of an identifier', () => {
  test('[ID2] consists of decimal digits without leading zeros and has at most 128 bits', () => {
    const number = fc.bigInt({ min: 0n, max: 2n ** 128n - 1n });
    fc.assert(
      fc.property(number, (value) => {
        expect(String(parseId(value.toString()))).toBe(value.toString());
      }),
    );
    expect(String(parseId(cases.largest))).toBe((2n ** 128n - 1n).toString());
  });

  test.each(cases.refused)('[ID2] the text is never %j', (text) => {
    expect(parseId(text)).toBeUndefined();
    expect(idSchema.safeParse(text).success).toBe(false);
  });

  test('[ID2] the text is a string in JSON and never a number', () => {
    for (const { id } of cases.accepted) expect(String(idSchema.parse(id))).toBe(id);
    expect(String(idSchema.parse(cases.largest))).toBe(cases.largest);
    for (const other of [1, 0, null, undefined, true, ['1'], { id: '1' }, 1n]) {
      expect(idSchema.safeParse(other).success).toBe(false);
    }
  });

  test('[ID2] the text is accepted exactly if it is how a number is written', () => {
    const decimal = fc.string({
      unit: fc.constantFrom(...'0123456789'),
      minLength: 1,
      maxLength: 45,
    });
    const text = fc.oneof(decimal, fc.string(), fc.string({ unit: 'binary' }));
    fc.assert(
      fc.property(text, (value) => {
        const isCanonical = /^\d+$/.test(value) && BigInt(value).toString() === value;
        const isId = isCanonical && BigInt(value) < 2n ** 128n;
        expect(parseId(value) !== undefined).toBe(isId);
        expect(idSchema.safeParse(value).success).toBe(isId);
      }),
    );
  });
});
