import { expect, test } from 'bun:test';
import committed from '../wire.json' with { type: 'json' };
import { ERROR_NAMES } from './errors.ts';
import * as protocol from './schemas.ts';
import { describeWire } from './wire.ts';

const UPDATE =
  'The wire has changed. If this is intended, describe the change in CHANGELOG.md, run `bun run wire`, and commit both.';

test('[VE3] the shapes on the wire match the committed JSON Schema', () => {
  const now: unknown = JSON.parse(JSON.stringify(describeWire()));
  expect(now, UPDATE).toEqual(committed);
});

test('[VE3] the JSON Schema has every schema of the protocol and every error', () => {
  const schemas = Object.keys(protocol).filter((name) => name.endsWith('Schema'));
  expect(schemas.length).toBeGreaterThan(12);
  const shapes = schemas.map((name) => name.replace(/Schema$/, ''));
  expect(Object.keys(describeWire().shapes)).toEqual([...shapes, ...ERROR_NAMES]);
});

test('[VE3] the JSON Schema has the lengths of a message', () => {
  expect(describeWire().shapes['message']).toMatchObject({
    properties: {
      author: { type: 'string', minLength: 2, maxLength: 32 },
      content: { type: 'string', minLength: 1, maxLength: 2048 },
    },
    required: ['author', 'content'],
  });
});

test('[VE3][LB9] the JSON Schema has the length of a nonce', () => {
  expect(describeWire().shapes['postedMessage']).toMatchObject({
    properties: { nonce: { type: 'string', maxLength: 64 } },
    required: ['author', 'content'],
  });
});
