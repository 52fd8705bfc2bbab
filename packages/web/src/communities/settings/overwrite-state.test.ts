import { expect, test } from 'bun:test';
import type { Channel } from '@hearth/protocol';
import { garden, idOf, role } from '../../../test/support/fake-communities.ts';
import { stateOf, withState } from './overwrite-state.ts';
import { membersIn } from './use-named-members.ts';
import { visibleTo } from './visible-to.ts';

const everyone = idOf('1');
type Overwrites = NonNullable<Channel['overwrites']>;
const person = (id: string, name: string) => ({ id: idOf(id), username: name.toLowerCase() });
const ADA = { user: { ...person('21', 'ada'), display_name: 'Ada' }, role_ids: [] };
const GRACE = { user: person('22', 'grace'), nickname: 'Captain', role_ids: [idOf('11')] };
const nothing = { id: everyone, kind: 'role', allow: [], deny: [] } as const;

test('[WC137][WC137b] a permission of an overwrite has one of three states', () => {
  const denied = withState({ ...nothing, allow: ['REACT'], deny: [] }, 'REACT', 'deny');
  expect([stateOf(denied, 'REACT'), stateOf(denied, 'VIEW')]).toEqual(['deny', 'inherit']);
  const inherited = withState(denied, 'REACT', 'inherit');
  expect([inherited.allow, inherited.deny]).toEqual([[], []]);
});

test('[WC137][WC137b] the page says which roles and members see a channel, and which do not', () => {
  const community = garden({
    roles: [
      role('1', 'everyone', { position: 0, permissions: ['VIEW'] }),
      role('11', 'helper', { position: 1 }),
      role('12', 'guest', { position: 2 }),
    ],
  });
  const hidden = { ...nothing, allow: [], deny: ['VIEW' as const] };
  const helpers = { id: idOf('11'), kind: 'role' as const, allow: ['VIEW' as const], deny: [] };
  const seen = (overwrites: Overwrites, ofCategory: Overwrites = []) =>
    visibleTo(community, {
      channel: { overwrites },
      category: { overwrites: ofCategory },
      members: [ADA, GRACE],
    });
  const everyone = { isForEveryone: true, also: [], except: [] };
  const nobody = { isForEveryone: false, also: [], except: [] };
  expect(seen([])).toEqual(everyone);
  expect(seen([hidden, helpers])).toEqual({ ...nobody, also: ['helper'] });
  expect(seen([helpers], [hidden])).toEqual({ ...nobody, also: ['helper'] });
  expect(seen([hidden])).toEqual(nobody);
  // A role that may not see it does not hide it from the others.
  expect(seen([{ ...hidden, id: idOf('12') }])).toEqual({ ...everyone, except: ['guest'] });
  // Ada has no role, and Grace is a helper.
  const ada = { ...hidden, id: ADA.user.id, kind: 'member' as const };
  const grace = { ...ada, id: GRACE.user.id };
  const shown = { ...ada, allow: ['VIEW' as const], deny: [] };
  expect(seen([hidden, shown])).toEqual({ ...nobody, also: ['Ada'] });
  expect(seen([hidden, helpers, grace])).toEqual({
    ...nobody,
    also: ['helper'],
    except: ['Captain'],
  });
  expect(seen([ada])).toEqual({ ...everyone, except: ['Ada'] });
  expect(
    membersIn([{ overwrites: [hidden, ada] }, undefined, { overwrites: [ada, grace] }]),
  ).toEqual([ADA.user.id, GRACE.user.id]);
});
