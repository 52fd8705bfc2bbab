import { expect, test } from 'bun:test';
import { garden, idOf } from '../../../test/support/fake-communities.ts';
import { channelKindsFor, isKindShown, offeredKinds } from '../offered-kinds.ts';
import { changed, makeCommunity, type Draft } from './new-community.ts';

const DRAFT: Draft = {
  name: 'Lantern Garden',
  icon: undefined,
  kind: 'both',
  visibility: 'private',
  join: 'invite',
  slug: '',
  isSlugOwn: false,
  channels: 'talk\ntools',
};

test('[WC134][WC134a][WC137] kinds with posts are offered, as the page can show posts', () => {
  expect([
    offeredKinds(false),
    isKindShown(false),
    channelKindsFor({ kind: 'both' }, false),
  ]).toEqual([['messages'], false, ['messages', 'announcements']]);
  expect(channelKindsFor({ kind: 'posts' }, false)).toEqual([]);
  expect([offeredKinds(), isKindShown()]).toEqual([['both', 'posts', 'messages'], true]);
  expect(channelKindsFor({ kind: 'both' })).toContain('posts');
  expect(channelKindsFor({ kind: 'posts' })).toEqual(['posts']);
});

test('[WC134] the address follows the name until the reader chooses one', () => {
  const named = changed(DRAFT, { name: 'Bread & Butter' });
  expect(named.slug).toBe('bread-butter');
  const own = changed(named, { slug: 'bakers', isSlugOwn: true });
  expect(changed(own, { name: 'Cake' }).slug).toBe('bakers');
});

test('[WC134][WC134a] a private community is never open, and one that is no longer private is', () => {
  expect(changed(DRAFT, { join: 'open' }).join).toBe('invite');
  const open = changed(DRAFT, { visibility: 'public' });
  expect(open.join).toBe('open');
  expect(changed(open, { visibility: 'private' }).join).toBe('invite');
  expect(changed(open, { join: 'request' }).join).toBe('request');
});

test('[WC134][WC134a] a community is made with its channels and an invite, and what fails of these is reported', async () => {
  const made: string[] = [];
  const requests = {
    create: () => Promise.resolve(garden()),
    change: () => Promise.resolve(),
    uploadPicture: () => Promise.reject(new Error('no picture')),
    changeChannel: (_: string, { name }: { readonly name?: string | undefined }) => {
      made.push(`first ${name}`);
      return Promise.resolve();
    },
    createChannel: (_: string, { name }: { readonly name: string }) => {
      made.push(name);
      return Promise.resolve();
    },
    createInvite: () =>
      Promise.resolve({ code: 'abc', community_id: idOf('1'), created_at: 0, uses: 0 }),
  };
  const whole = await makeCommunity(DRAFT, requests);
  expect([whole.inviteCode, whole.isPartial, ...made]).toEqual([
    'abc',
    false,
    'first talk',
    'tools',
  ]);
  const partial = await makeCommunity({ ...DRAFT, icon: new Blob() }, requests);
  expect([partial.inviteCode, partial.isPartial]).toEqual(['abc', true]);
  const refused = makeCommunity(DRAFT, {
    ...requests,
    create: () => Promise.reject(new Error('taken')),
  });
  await expect(refused).rejects.toThrow('taken');
});
