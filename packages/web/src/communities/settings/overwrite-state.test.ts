import { expect, test } from 'bun:test';
import { garden, idOf, role } from '../../../test/support/fake-communities.ts';
import { stateOf, withState } from './overwrite-state.ts';
import { visibleTo } from './visible-to.ts';

const everyone = idOf('1');
const nothing = { id: everyone, kind: 'role', allow: [], deny: [] } as const;

test('[WC137] a permission of an overwrite has one of three states', () => {
  const denied = withState({ ...nothing, allow: ['REACT'], deny: [] }, 'REACT', 'deny');
  expect([stateOf(denied, 'REACT'), stateOf(denied, 'VIEW')]).toEqual(['deny', 'inherit']);
  const inherited = withState(denied, 'REACT', 'inherit');
  expect([inherited.allow, inherited.deny]).toEqual([[], []]);
});

test('[WC137] the page says which roles see a channel', () => {
  const community = garden({
    roles: [
      role('1', 'everyone', { position: 0, permissions: ['VIEW'] }),
      role('11', 'helper', { position: 1 }),
      role('12', 'guest', { position: 2 }),
    ],
  });
  const hidden = { ...nothing, allow: [], deny: ['VIEW' as const] };
  const helpers = { id: idOf('11'), kind: 'role' as const, allow: ['VIEW' as const], deny: [] };
  expect(visibleTo(community, {}, undefined)).toBe('everyone');
  expect(visibleTo(community, { overwrites: [hidden, helpers] }, undefined)).toEqual(['helper']);
  expect(visibleTo(community, { overwrites: [helpers] }, { overwrites: [hidden] })).toEqual([
    'helper',
  ]);
  expect(visibleTo(community, { overwrites: [hidden] }, undefined)).toEqual([]);
});
