import { accountEventSchema } from '@hearth/protocol/schemas';
import { expect, test } from 'bun:test';
import { z } from 'zod';
import { MEMBER_PARTS, SIGN_IN_PARTS } from './ready-parts.ts';

test('[GP5] READY has what its parts read, and the streams', () => {
  const { anyOf: kinds = [] } = z.toJSONSchema(accountEventSchema);
  const events = kinds.flatMap(({ oneOf = [] }) => oneOf);
  const ready = events.find(({ properties }) => {
    const op = properties?.['op'];
    return typeof op === 'object' && op.const === 'READY';
  });
  const parts = [...SIGN_IN_PARTS, ...MEMBER_PARTS].map(({ key, schema }) => {
    const { $schema: _, ...rest } = z.toJSONSchema(schema);
    return [key, rest];
  });
  expect(ready?.properties?.['d']).toMatchObject({ required: ['streams'] });
  const {
    recovered: _,
    streams: _streams,
    ...said
  } = z
    .object({ properties: z.record(z.string(), z.unknown()) })
    .parse(ready?.properties?.['d']).properties;
  expect(said).toEqual(Object.fromEntries(parts));
});
