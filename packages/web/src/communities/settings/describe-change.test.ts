import { expect, test } from 'bun:test';
import { channel, idOf, role } from '../../../test/support/fake-communities.ts';
import { deCommunitySettings } from '../../text/de/community-settings.ts';
import { enCommunities } from '../../text/en/communities.ts';
import { enCommunitySettings } from '../../text/en/community-settings.ts';
import { describeChange } from './describe-change.ts';

const describing = {
  words: enCommunitySettings,
  frame: enCommunities.frame,
  formats: { moment: (ms: number) => `moment ${ms}` },
  community: {
    roles: [role('11', 'Helper'), role('12', 'Guest')],
    channels: [channel('5', 'Shed', { kind: 'category' })],
  },
};

test.each([
  [{ field: 'topic', before: 'Figs' }, 'Topic: Figs → nothing'],
  [{ field: 'name', before: 'Garden', after: 'Orchard' }, 'Name: Garden → Orchard'],
  [{ field: 'role_ids', before: ['11'], after: ['12', '99'] }, 'Roles: + Guest, + 99, − Helper'],
  [{ field: 'role_ids', after: ['11'] }, 'Roles: + Helper'],
  [{ field: 'roles', before: ['a', 'b'], after: ['b', 'a'] }, 'Roles: b, a'],
  [{ field: 'deny', before: [], after: ['KICK', 'NEW'] }, 'Denied: + Remove members, + NEW'],
  [{ field: 'expires_at', after: 5 }, 'Expires: moment 5'],
  [{ field: 'hoisted', before: false, after: true }, 'Listed separately: no → yes'],
  [{ field: 'category_id', after: '5' }, 'Category: Shed'],
  [{ field: 'visibility', before: 'public', after: 'odd' }, 'Who can find it: Public → odd'],
  [{ field: 'slow_mode_seconds', before: 5, after: 7 }, 'Slow mode: 5 seconds → 7'],
  [{ field: 'icon', after: idOf('77') }, 'Icon: a picture'],
  [{ field: 'novelty', before: 1, after: 2 }, 'novelty: 1 → 2'],
])('[WC137] the audit log says %j in words', (change, expected) => {
  const { KICK } = enCommunitySettings.permissions.names;
  const sentence = expected.replace('Remove members', KICK.name);
  expect(describeChange(change, describing)).toBe(sentence);
});

test('[WC137] the fields of the audit log have names in both languages', () => {
  const names = ({ audit }: typeof enCommunitySettings) => Object.keys(audit.fields).toSorted();
  expect(names(deCommunitySettings)).toEqual(names(enCommunitySettings));
});
