import { expect, test } from 'bun:test';
import { ForbiddenError } from '@hearth/sdk';
import { deCommunities } from '../text/de/communities.ts';
import { enCommunities } from '../text/en/communities.ts';
import { enPermissions } from '../text/en/permissions.ts';
import { describeFailure } from './describe-failure.ts';

const formats = { moment: (ms: number) => `moment ${ms}` };
const forbidden = (code: string, more: { permission?: string; untilMs?: number } = {}) =>
  new ForbiddenError('no', { code, ...more });
const FAILURES = [
  ...['banned_here', 'timed_out', 'join_closed', 'not_member', 'not_owner'].map((code) =>
    forbidden(code),
  ),
  ...['community_deleted', 'rank_too_low', 'role_denies', 'permission_missing'].map((code) =>
    forbidden(code),
  ),
  forbidden('banned_here', { untilMs: 5 }),
  forbidden('timed_out', { untilMs: 5 }),
];

test.each([
  ['English', enCommunities],
  ['German', deCommunities],
])('[WC136][WC137] what a community forbids has a sentence each in %s', (_, { errors: words }) => {
  const sentences = FAILURES.map((error) => describeFailure(error, { words, formats }));
  expect(sentences.every((sentence) => sentence?.endsWith('.'))).toBe(true);
  expect(new Set(sentences).size).toBe(FAILURES.length);
  expect(describeFailure(forbidden('paused'), { words, formats })).toBeUndefined();
});

test('[WC137] the permission that is missing is named', () => {
  const { names: permissions } = enPermissions;
  const error = forbidden('permission_missing', { permission: 'KICK' });
  const describing = { words: enCommunities.errors, formats, permissions };
  expect(describeFailure(error, describing)).toContain(`“${permissions.KICK.name}”`);
});
