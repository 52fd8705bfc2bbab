import type { Member } from '@hearth/protocol';
import type { Client, ClientEvents } from '@hearth/sdk';
import { expect, test } from 'bun:test';
import { idOf } from '../../test/support/fake-communities.ts';
import { MemberList } from './member-list.ts';

const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

function member(id: string, username: string): Member {
  const user = { id: idOf(id), username };
  return { user, community_id: idOf('1'), role_ids: [], joined_at: 0, version: 1 };
}

function listed(next: string | undefined) {
  const listeners = new Map<string, (event: never) => void>();
  let reads = 0;
  let isAway = false;
  const client = {
    on: (name: string, listener: (event: never) => void) => {
      listeners.set(name, listener);
      return () => listeners.delete(name);
    },
    communities: {
      members: {
        list: () => {
          reads += 1;
          if (isAway) return Promise.reject(new Error('away'));
          return Promise.resolve({ entries: [member('5', 'ben'), member('6', 'dora')], next });
        },
      },
    },
  };
  // Guarantee: the list uses nothing else.
  const list = new MemberList(client as unknown as Client, idOf('1'));
  return {
    list,
    reads: () => reads,
    away: (isSo: boolean) => void (isAway = isSo),
    emit: <Name extends keyof ClientEvents>(name: Name, event: Partial<ClientEvents[Name]>) =>
      listeners.get(name)?.(event as never),
    shown: () => {
      const asked = list.list.asked.value;
      return asked.state === 'there' ? asked.value.entries : [];
    },
    names: () => {
      const asked = list.list.asked.value;
      return asked.state === 'there' ? asked.value.entries.map(({ user }) => user.username) : [];
    },
  };
}

test('[WC385] a member whose name changes is listed by the new one, and one whose account has ended as such', async () => {
  const { list, emit, names, shown } = listed(undefined);
  list.need();
  await settled();
  emit('member', { ...member('5', 'ben'), nickname: 'yorick' });
  emit('user', { id: idOf('6'), username: 'dora', display_name: 'Zenobia' });
  emit('user', { id: idOf('7'), username: 'nobody here' });
  expect(names()).toEqual(['ben', 'dora']);
  emit('user', { id: idOf('5'), username: 'deleted', deleted: true });
  expect(shown()).toMatchObject([
    { user: { username: 'deleted', deleted: true } },
    { user: { display_name: 'Zenobia' } },
  ]);
  expect(shown()[0]).not.toHaveProperty('nickname');
});

test('[WC148][WC148a] members who join, leave and change are shown so, without another request', async () => {
  const { list, emit, names, reads } = listed(undefined);
  list.need();
  await settled();
  emit('member', member('7', 'cleo'));
  emit('member', { ...member('8', 'eve'), community_id: idOf('2') });
  emit('member', member('9', 'zoe'));
  expect(names()).toEqual(['ben', 'cleo', 'dora', 'zoe']);
  emit('member', { ...member('5', 'ben'), nickname: 'yorick' });
  emit('memberRemoved', { community_id: idOf('1'), user_id: idOf('6') });
  expect(names()).toEqual(['cleo', 'ben', 'zoe']);
  list.need();
  expect(reads()).toBe(1);
  emit('connection', { state: 'waiting' });
  emit('connection', { state: 'open' });
  await settled();
  expect([reads(), names()]).toEqual([2, ['ben', 'dora']]);
  list[Symbol.dispose]();
});

test('[WC148] a member whose name comes after the loaded ones waits for the next page', async () => {
  const { list, emit, names } = listed('more');
  list.need();
  await settled();
  emit('member', member('9', 'zoe'));
  emit('member', member('7', 'cleo'));
  expect(names()).toEqual(['ben', 'cleo', 'dora']);
  list[Symbol.dispose]();
});

test('[WC148][WC148a] members that could not be loaded without a connection are loaded when it opens', async () => {
  const { list, emit, names, away } = listed(undefined);
  away(true);
  list.need();
  await settled();
  expect(list.list.asked.value.state).toBe('failed');
  away(false);
  emit('connection', { state: 'open' });
  await settled();
  expect(names()).toEqual(['ben', 'dora']);
  list[Symbol.dispose]();
});
