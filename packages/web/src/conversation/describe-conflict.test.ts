import { CONFLICTS, MOST_REACTION_KINDS } from '@hearth/protocol';
import {
  MOST_CATEGORIES,
  MOST_CHANNELS,
  MOST_COMMUNITIES,
  MOST_COMMUNITY_INVITES,
  MOST_JOIN_REQUESTS,
  MOST_OVERWRITES,
  MOST_OWN_REQUESTS,
  MOST_PINS,
  MOST_POST_PINS,
  MOST_ROLES,
} from '@hearth/protocol/schemas';
import { ConflictError } from '@hearth/sdk';
import { expect, test } from 'bun:test';
import { de } from '../text/de.ts';
import { en } from '../text/en.ts';
import '../text/en/conflicts.ts';
import { Formats } from '../text/formats.ts';
import { describeConflict } from './describe-conflict.ts';

const CASES = Object.entries(CONFLICTS).flatMap(([code, fields]) =>
  Object.entries(fields).map(([fieldName, sentence]) => ({ code, fieldName, sentence })),
);

test.each([
  ['English', en],
  ['German', de],
])(
  '[WC375] every conflict that the server can report has a sentence of its own in %s',
  (_, text) => {
    const sentences = CASES.map(({ code, fieldName }) =>
      describeConflict(new ConflictError('no', { code, fieldName, error: 'no' }), text),
    );
    for (const sentence of sentences) expect(sentence).toMatch(/^[\p{Lu}\d].{9,}\.$/u);
    expect(sentences.filter((sentence) => / (no|\{\w+\})\.?$/.test(sentence))).toEqual([]);
    // An address may be that of a community or of a person.
    expect(new Set(sentences).size).toBe(CASES.length);
  },
);

test('[WC375] sentences about a limit name it in the digits of their language', () => {
  const limits = {
    categories: MOST_CATEGORIES,
    channels: MOST_CHANNELS,
    communities: MOST_COMMUNITIES,
    community: MOST_JOIN_REQUESTS,
    emoji: MOST_REACTION_KINDS,
    invites: MOST_COMMUNITY_INVITES,
    overwrites: MOST_OVERWRITES,
    pinned: MOST_POST_PINS,
    pins: MOST_PINS,
    requests: MOST_OWN_REQUESTS,
    roles: MOST_ROLES,
  };
  for (const [fieldName, most] of Object.entries(limits)) {
    const error = new ConflictError('no', { code: 'too_many', fieldName, error: 'no' });
    expect(describeConflict(error, en)).toContain(new Formats('en').count(most));
    expect(describeConflict(error, de)).toContain(new Formats('de').count(most));
  }
});

test('[WC375] a conflict that only a newer server knows is shown in its own words', () => {
  const error = new ConflictError('The moon is full', {
    code: 'too_many',
    fieldName: 'moons',
    error: 'The moon is full',
  });
  expect(describeConflict(error, en)).toBe('The moon is full.');
  expect(describeConflict(error, de)).toContain('„The moon is full“');
});

test('[WC375] a conflict is shown in the words of the server before its sentence has been loaded', () => {
  const error = new ConflictError('This name is taken', {
    code: 'taken',
    fieldName: 'username',
    error: 'This name is taken',
  });
  const before = { ...en, conflicts: { value: undefined } };
  expect(describeConflict(error, before)).toBe('This name is taken.');
});

test('[ER11] every conflict is one sentence of the interface, without its full stop', () => {
  const details = CASES.filter(({ sentence }) => sentence === '{state}');
  expect(details).toHaveLength(1);
  for (const { sentence } of CASES.filter((each) => !details.includes(each))) {
    expect(sentence).toMatch(/^[A-Z][^.]{8,}[^.]$/);
  }
});
