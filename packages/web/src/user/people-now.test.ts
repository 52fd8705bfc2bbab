import type { User } from '@hearth/protocol';
import type { Client } from '@hearth/sdk';
import { expect, test } from 'bun:test';
import { idOf } from '../../test/support/fake-communities.ts';
import { followPeople, personNow } from './people-now.ts';

const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

function follow() {
  const listeners = new Map<string, (event: unknown) => void>();
  const known = new Map<string, User>();
  const asked: string[] = [];
  const client = {
    on: (name: string, listener: (event: never) => void) => {
      // Guarantee: only events of this name are given to it.
      listeners.set(name, listener as (event: unknown) => void);
      return () => listeners.delete(name);
    },
    async user(id: string) {
      asked.push(id);
      const user = known.get(id);
      if (user === undefined) throw new Error('not found');
      return user;
    },
  };
  // Guarantee: nothing else is used.
  const end = followPeople(client as unknown as Client);
  const emit = (name: string, event: unknown) => listeners.get(name)?.(event);
  return { emit, known, asked, [Symbol.dispose]: end };
}

test('[WC385] what was written before shows people as they are now', async () => {
  const [ben, dora] = [
    { id: idOf('5'), username: 'ben' },
    { id: idOf('6'), username: 'dora' },
  ];
  {
    using page = follow();
    const account = { created_at: 1, version: 2, bio: 'Gardener' };
    page.emit('user', { ...ben, display_name: 'Benedict', ...account });
    page.emit('user', { id: dora.id, username: 'deleted', deleted: true });
    expect(personNow(ben)).toEqual({ ...ben, display_name: 'Benedict' });
    expect(personNow(dora)).toEqual({ id: dora.id, username: 'deleted', deleted: true });
    // What has changed while it was not watched is read again.
    page.known.set(ben.id, { ...ben, ...account, version: 3 });
    page.emit('watched', {});
    await settled();
    expect([personNow(ben), page.asked]).toEqual([ben, [ben.id]]);
    page.emit('userUpdate', { ...ben, avatar: idOf('9'), ...account });
    expect(personNow(ben)).toEqual({ ...ben, avatar: idOf('9') });
  }
  expect(personNow(ben)).toBe(ben);
});

test('[WC385] an answer that is older than an event does not take its place', async () => {
  const ben = { id: idOf('5'), username: 'ben' };
  using page = follow();
  const account = { created_at: 1, version: 2 };
  page.emit('user', { ...ben, display_name: 'Ben', ...account });
  page.known.set(ben.id, { ...ben, display_name: 'Benedict', ...account });
  page.emit('watched', {});
  page.emit('user', { id: ben.id, username: 'deleted', deleted: true });
  await settled();
  expect(personNow(ben)).toEqual({ id: ben.id, username: 'deleted', deleted: true });
});
