import { ValidationError } from '@hearth/protocol';
import { messageQuerySchema } from '@hearth/protocol/schemas';
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { parseQuery } from '../../../http/body.ts';

const LARGEST_ID = '340282366920938463463374607431768211455';
const ONE_MORE = '340282366920938463463374607431768211456';

const NAMES = ['before', 'after', 'around', 'limit'] as const;

const messageQuery = (url: string) => parseQuery(url, messageQuerySchema);

/** Returns what a query asks for, or the parameter that is wrong. */
function read(query: string): unknown {
  try {
    return messageQuery(`http://127.0.0.1:7160/messages${query}`);
  } catch (error) {
    if (error instanceof ValidationError) return error.data?.['field_name'];
    throw error;
  }
}

const NONE = { after: undefined, around: undefined, before: undefined };
const asked = (given: object) => ({ ...NONE, limit: 50, ...given });

test.each(['', '?', '?&', '?&&=', '?=5', '?Limit=5', '?limit[]=5', '?LIMIT=5&befor=1&x=%'])(
  '[LB2][LB7] the 50 newest are requested if no parameter says otherwise: "%s"',
  (query) => {
    expect(read(query)).toEqual(asked({}));
  },
);

describe('[LB2] limit', () => {
  test('the limit may be any whole number from 1 to 100', () => {
    for (let limit = 1; limit <= 100; limit += 1) {
      expect(read(`?limit=${limit}`)).toEqual(asked({ limit }));
    }
  });

  test.each([
    ...['', '0', '101', '1000', '-1', '+1', ' 1', '1 ', '1.0', '1.5', '1e1', '0x10', '１', '٣'],
    ...['NaN', 'Infinity', 'true', 'null', '1,2', '1;2', '%00', '1%0A', '10%00', '99999999999'],
  ])('[LB7] the limit may be nothing else: "%s" is refused', (limit) => {
    expect(read(`?limit=${limit}`)).toBe('limit');
  });
});

describe.each(['before', 'after', 'around'] as const)('[LB3][LB25] %s', (name) => {
  test.each(['0', '1', '2680231098724220450352726016', LARGEST_ID])('the place may be %s', (id) => {
    expect(read(`?${name}=${id}`)).toEqual(asked({ [name]: id }));
  });

  test.each([
    ...['', '00', '01', '-1', '+1', '1.0', '1e3', '0x1', 'abc', 'null', ONE_MORE, `${LARGEST_ID}0`],
    ...['%00', '1%0A', '1%00', ' 1', '1,2', '１'],
  ])('[LB7] the place has to be an identifier: "%s" is refused', (id) => {
    expect(read(`?${name}=${id}`)).toBe(name);
  });
});

test('[LB3] both may be given, whatever their order', () => {
  const both = asked({ after: '9', before: '7', limit: 3 });
  expect(read('?limit=3&before=7&after=9')).toEqual(both);
  expect(read('?after=9&after=x&before=7&limit=3&limit=x&before=')).toEqual(both);
});

test('[LB7] the first value of a parameter that is given twice counts', () => {
  expect(read('?limit=5&limit=6')).toEqual(asked({ limit: 5 }));
  expect(read('?limit=x&limit=6')).toBe('limit');
  expect(read('?before=&before=6')).toBe('before');
  expect(read('?after=6&after=')).toEqual(asked({ after: '6' }));
});

test('[LB7] a parameter may be spelled with escapes', () => {
  expect(read('?%6Cimit=%35')).toEqual(asked({ limit: 5 }));
});

test('[LB2][LB3][LB7][LB25] every query requests messages or gets an error for a wrong parameter', () => {
  const value = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.webQueryParameters(),
    fc.bigInt({ min: -2n, max: 2n ** 130n }).map(String),
    fc.integer({ min: -1, max: 120 }).map(String),
  );
  const parameter = fc
    .tuple(fc.oneof(fc.constantFrom<string>(...NAMES), fc.string()), value)
    .map((pair) => pair.join('='));
  const queries = fc.array(parameter, { maxLength: 5 }).map((all) => `?${all.join('&')}`);
  fc.assert(
    fc.property(queries, (query) => {
      const answer = read(query);
      const given = new URLSearchParams(query);
      if (typeof answer === 'string') {
        expect<readonly string[]>(NAMES).toContain(answer);
        expect(given.has(answer)).toBe(true);
        return;
      }
      const { limit } = messageQuery(query);
      expect(limit >= 1 && limit <= 100).toBe(true);
      const rest = {
        before: given.get('before') ?? undefined,
        after: given.get('after') ?? undefined,
        around: given.get('around') ?? undefined,
      };
      expect(answer).toEqual({ ...rest, limit: Number(given.get('limit') ?? 50) });
    }),
    { numRuns: 1_000 },
  );
});
