import { expect, test } from 'bun:test';
import { z } from 'zod';
import { lenient } from './lenient.ts';

const strict = z.object({
  id: z.string(),
  names: z.array(z.enum(['VIEW', 'SEND'])),
  factors: z.array(z.enum(['totp'])).optional(),
  parts: z
    .array(z.object({ id: z.string(), of: z.array(z.int()).exactOptional() }))
    .exactOptional(),
});

test('entries of lists that cannot be understood are left out, at any depth', () => {
  const read = lenient(strict).parse({
    id: '1',
    names: ['VIEW', 'FLY', 7],
    factors: ['totp', 'passkey'],
    parts: [{ id: '2', of: [1, 'two'], later: true }, { id: 3 }],
    later: {},
  });
  expect(read).toEqual({
    id: '1',
    names: ['VIEW'],
    factors: ['totp'],
    parts: [{ id: '2', of: [1] }],
  });
  expect(lenient(strict).parse({ id: '1', names: [] })).toStrictEqual({ id: '1', names: [] });
});

test('everything else is as strict as before: fields that must be there, and entries of a page', () => {
  const page = lenient(z.array(strict));
  const entry = { id: '1', names: ['FLY'] };
  expect(page.parse([entry])).toEqual([{ id: '1', names: [] }]);
  expect(page.safeParse([entry, { names: [] }]).success).toBe(false);
  expect(page.safeParse([{ ...entry, names: 'VIEW' }]).success).toBe(false);
});

test('a schema that is read in another way is replaced in each place', () => {
  const file = z.object({ id: z.string() });
  const instead = new Map([[file, z.object({ id: z.coerce.string() })]]);
  const message = z.object({ file: file.exactOptional(), files: z.array(file) });
  const read = lenient(message, instead).parse({ file: { id: 1 }, files: [{ id: 2 }] });
  expect(read).toEqual({ file: { id: '1' }, files: [{ id: '2' }] });
});
