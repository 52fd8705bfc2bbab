import {
  ConflictError,
  ForbiddenError,
  NotFoundError,
  ValidationError,
  type CommunityChange,
  type Id,
  type OwnCommunity,
} from '@hearth/protocol';
import { communityQuerySchema, RESTORABLE_MS } from '@hearth/protocol/schemas';
import { photograph } from '@hearth/testing/clients/photograph';
import { communityTest, type CommunityTest } from '@hearth/testing/communities';
import { countedAttempts } from '@hearth/testing/counted-attempts';
import { failureOf } from '@hearth/testing/failure-of';
import { CHEAP_PASSWORDS } from '@hearth/testing/instances/cheap-passwords';
import { endedOrWaiting } from '@hearth/testing/lock-waits';
import { sealContent } from '@hearth/testing/ports/upload-verbs';
import { reasonOf } from '@hearth/testing/reason-of';
import { readerBefore } from '@hearth/testing/ports/reader-before';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { ANYONE, OWNER, type Actor, type Account } from '../../../actor.ts';
import type { InstanceContext } from '../../../instance-context.ts';
import type { Writer } from '../../../ports/database/database.ts';
import { withQueues } from '../../../ports/outbox/outbox.ts';
import { createChannel } from '../channels/create-channel.ts';
import { joinCommunity } from '../members/join-community.ts';
import { leaveCommunity } from '../members/leave-community.ts';
import { postMessage } from '../../talk/messages/post-message.ts';
import { eraseUploads } from '../../files/uploads/erase-uploads.ts';
import { createUpload } from '../../files/uploads/create-upload.ts';
import { findUpload } from '../../files/uploads/find-uploads.ts';
import { addUserBytes } from '../../files/uploads/store.ts';
import { removeOwnUpload } from '../../files/uploads/remove-upload.ts';
import { Passwords } from '../../accounts/users/passwords.ts';
import { announceRestored } from './announce-restored.ts';
import { changeCommunity } from './change-community.ts';
import { changeOwner } from './change-owner.ts';
import { createCommunity } from './create-community.ts';
import { deleteCommunity, restoreCommunity } from './delete-community.ts';
import { findCommunity, findCommunityBySlug } from './find-community.ts';
import { listCommunities } from './list-communities.ts';
import { listOwnCommunities, showOwnCommunity } from './list-own-communities.ts';

const PASSWORD = 'correct horse battery';
const YEAR_MS = 365 * 24 * 60 * 60 * 1_000;

onEachDatabase((open) => {
  describe('managing communities', () => {
    let own: CommunityTest;
    let ctx: InstanceContext;
    let ada: Account;
    let bob: Account;
    let eve: Account;

    beforeAll(async () => {
      own = await communityTest(open);
      ctx = { ...own.ctx, passwords: new Passwords(CHEAP_PASSWORDS) };
      ada = await own.person('ada');
      bob = await own.person('bob');
      eve = await own.person('eve');
      const passwordHash = await ctx.passwords.hash(PASSWORD);
      await own.database.transaction(({ sql }) =>
        sql.updateTable('users').set({ password_hash: passwordHash }).execute(),
      );
    });
    afterAll(() => own[Symbol.asyncDispose]());

    const park = () => own.garden(ada, { visibility: 'public' });
    const change = (id: Id, given: CommunityChange, by = ada) =>
      changeCommunity(ctx, by, { id, ...given });
    const listed = async (actor: Actor, query: Readonly<Record<string, string>>) =>
      listCommunities(ctx, actor, communityQuerySchema.parse(query));
    const slugs = async (actor: Actor, query: Readonly<Record<string, string>>) =>
      (await listed(actor, query)).entries.map(({ slug }) => slug);

    test('[CO12] a community that becomes private while it is listed is not shown', async () => {
      const { id, slug } = await park();
      let isHidden = false;
      const reader = own.database.reader.withPlugin({
        transformQuery: ({ node }) => node,
        async transformResult({ result }) {
          if (!isHidden) {
            isHidden = true;
            await change(id, { visibility: 'private', join: 'invite' });
          }
          return result;
        },
      });
      const slow = { ...ctx, database: { ...ctx.database, reader } };
      const query = communityQuerySchema.parse({ sort: 'new' });
      const { entries } = await listCommunities(slow, eve, query);
      expect(isHidden).toBe(true);
      expect(entries.map((each) => each.slug)).not.toContain(slug);
    });

    test('[CO12][CO12a][CO12b] public communities are listed in pages, and others only to their members', async () => {
      const dan = await own.person('dan');
      const make = async (slug: string, visibility: 'public' | 'unlisted' | 'private') => {
        own.clock.advance(1);
        const name = `The Éclair ${slug}`;
        return await createCommunity(ctx, dan, { name, slug, kind: 'both', visibility });
      };
      const [a, b] = [await make('aa', 'public'), await make('bb', 'public')];
      await make('cc', 'unlisted');
      await make('dd', 'private');
      for (const person of [bob, eve]) await joinCommunity(ctx, person, { community_id: a.id });
      await joinCommunity(ctx, bob, { community_id: b.id });
      const q = 'eclair';
      for (const actor of [ANYONE, eve]) {
        expect(await slugs(actor, { q, sort: 'new' })).toEqual(['bb', 'aa']);
        expect(await slugs(actor, { q, sort: 'members' })).toEqual(['aa', 'bb']);
      }
      expect(await slugs(dan, { mine: 'true', sort: 'new' })).toEqual(['dd', 'cc', 'bb', 'aa']);
      expect(await slugs(eve, { mine: 'true', q })).toEqual(['aa']);
      expect(await slugs(eve, { q: 'ECL aa' })).toEqual(['aa']);
      expect(await slugs(eve, { q: 'clair' })).toEqual([]);
      expect(await reasonOf(listed(ANYONE, { mine: 'true' }))).toBe('token_invalid');

      for (const [actor, query] of [
        [ANYONE, { q, sort: 'new' }],
        [dan, { mine: 'true', sort: 'new' }],
        [ANYONE, { sort: 'active' }],
      ] as const) {
        const all = await slugs(actor, { ...query, limit: '100' });
        const seen: string[] = [];
        let cursor: string | undefined;
        do {
          const page = await listed(actor, { ...query, limit: '1', ...(cursor && { cursor }) });
          seen.push(...page.entries.map(({ slug }) => slug));
          cursor = page.cursor;
        } while (cursor !== undefined);
        expect(seen).toEqual(all);
      }
      const talk = a.channels[0]?.id ?? a.id;
      const active = () => slugs(ANYONE, { q, sort: 'active' });
      expect(await active()).toEqual(['bb', 'aa']);
      own.clock.halt(1_000);
      await postMessage(ctx, dan, { channel_id: talk, content: 'Good evening' });
      expect(await active()).toEqual(['aa', 'bb']);
      // Not with every message.
      expect(ctx.activity.note(a.id, own.clock.unixMs())).toBeUndefined();
      const { cursor = '' } = await listed(ANYONE, { sort: 'new', limit: '1' });
      const forged = (place: object) => Buffer.from(JSON.stringify(place)).toString('base64url');
      for (const wrong of [
        { cursor: 'x' },
        { cursor, sort: 'members' },
        { cursor: forged({ sort: 'active', value: 1.5, id: a.id }) },
        { cursor: forged({ sort: 'active', value: 1e300, id: a.id }) },
        { cursor: forged({ sort: 'active', value: 1, id: "' or 1=1" }) },
      ]) {
        expect(await reasonOf(listed(ANYONE, wrong))).toBe('cursor');
      }
    });

    test('[CO13][CO13a] managers change what a community says of itself, and everyone is sent the change', async () => {
      const { id } = await park();
      await joinCommunity(ctx, bob, { community_id: id });
      await own.emitted();
      const given = {
        name: 'Rose garden',
        description: 'Roses',
        rules: 'Be kind',
        languages: ['en', 'de-AT'],
        tags: ['roses'],
        sensitive: true,
      };
      const changed = await change(id, given);
      expect(changed).toMatchObject({ ...given, version: 2, member_count: 2 });
      expect(await findCommunity(ctx, bob, { id })).toEqual(changed);
      expect(await own.emitted()).toEqual([
        { stream: `c:${id}`, event: { op: 'COMMUNITY_UPDATE', d: changed } },
      ]);
      const cleared = await change(id, { description: null, tags: [], sensitive: false });
      for (const field of ['description', 'tags', 'sensitive']) {
        expect(cleared).not.toHaveProperty(field);
      }
      expect(await reasonOf(change(id, { name: 'Mine' }, bob))).toBe('MANAGE_COMMUNITY');
      expect(await reasonOf(change(id, { name: 'Mine' }, eve))).toBe('not_member');
    });

    test('[CO14] a private community cannot be joined by everyone, and its kind fits its channels', async () => {
      const { id } = await park();
      expect(await reasonOf(change(id, { visibility: 'private' }))).toBe('join');
      await change(id, { visibility: 'private', join: 'invite' });
      expect(await reasonOf(change(id, { join: 'open' }))).toBe('join');
      expect(await failureOf(findCommunity(ctx, eve, { id }))).toEqual(new NotFoundError());
      expect(await failureOf(change(id, { name: 'Mine' }, eve))).toEqual(new NotFoundError());
      expect(await reasonOf(change(id, { kind: 'posts' }))).toBe('kind');
      expect(await change(id, { kind: 'messages' })).toMatchObject({ kind: 'messages' });
      const posts = { community_id: id, kind: 'posts', name: 'news' } as const;
      expect(await reasonOf(createChannel(ctx, ada, posts))).toBe('kind');
    });

    test('[CO15] a slug that was given up stays with its community for a year', async () => {
      const { id, slug } = await park();
      const other = await park();
      const [first, second] = [`${slug}-a`, `${slug}-b`];
      const taken = await Promise.allSettled([
        change(id, { slug: first }),
        change(other.id, { slug: first }),
      ]);
      expect(taken.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      await change(id, { slug: second });
      expect((await findCommunityBySlug(ctx, eve, { slug: second })).id).toBe(id);
      expect(await failureOf(findCommunityBySlug(ctx, eve, { slug }))).toEqual(new NotFoundError());
      expect(await failureOf(change(other.id, { slug }))).toBeInstanceOf(ConflictError);
      expect(await failureOf(own.garden(bob, { slug }))).toBeInstanceOf(ConflictError);
      expect((await change(id, { slug })).slug).toBe(slug);
      await change(id, { slug: second });
      own.clock.halt(YEAR_MS);
      expect((await change(other.id, { slug })).slug).toBe(slug);
      for (const last of ['c', 'd', 'e', 'f', 'g']) await change(id, { slug: `${slug}-${last}` });
      expect(await reasonOf(change(id, { slug: `${slug}-h` }))).toBe('too_many');
    });

    const picture = async (by: Account) => {
      const sealed = await sealContent(ctx, await photograph({ width: 40, height: 30 }));
      const file = { bucket: 'attachments', name: 'a', spoiler: false, sealed };
      const { id: uploadId } = await createUpload(ctx, OWNER, file);
      await own.database.unchecked.transaction(async ({ sql }) => {
        await addUserBytes(sql, by.user_id, sealed.sizeBytes);
        await sql
          .updateTable('uploads')
          .set({ user_id: by.user_id, key: 'secret' })
          .where('id', '=', uploadId as Id)
          .execute();
      });
      return uploadId as Id;
    };

    test('[CO16] a picture is public as long as a community shows it', async () => {
      const { id } = await park();
      const shown = (upload: Id) =>
        failureOf(findUpload(ctx, ANYONE, { bucket: 'attachments', id: upload }));
      const [icon, banner, foreign] = [await picture(ada), await picture(ada), await picture(bob)];
      expect(await shown(icon)).toBeInstanceOf(NotFoundError);
      expect(await reasonOf(change(id, { icon: foreign }))).toBe('icon');
      expect(await reasonOf(change(id, { banner: '77' as Id }))).toBe('banner');
      expect(await change(id, { icon, banner })).toMatchObject({ icon, banner });
      expect([await shown(icon), await shown(banner)]).toEqual([undefined, undefined]);
      // A picture that changes its place stays; the one that nothing shows any more goes.
      expect(await change(id, { icon: banner, banner: null })).toMatchObject({ icon: banner });
      expect(await shown(icon)).toBeInstanceOf(NotFoundError);
      expect(await shown(banner)).toBeUndefined();
      await own.emitted();
      await removeOwnUpload(ctx, ada, { id: banner });
      const left = await findCommunity(ctx, eve, { id });
      expect(left).not.toHaveProperty('icon');
      expect(await own.emitted()).toEqual([
        { stream: `c:${id}`, event: { op: 'COMMUNITY_UPDATE', d: left } },
      ]);
    });

    test('[CO16] a community no longer shows the pictures of an account that was deleted', async () => {
      const { id } = await park();
      const dora = await own.person('dora');
      const [icon, banner] = [await picture(dora), await picture(dora)];
      // She changed them while she was a manager.
      await own.database.transaction(async ({ sql }) => {
        await sql.updateTable('communities').set({ icon, banner }).where('id', '=', id).execute();
        const uses = { public_uses: 1 };
        await sql.updateTable('uploads').set(uses).where('id', 'in', [icon, banner]).execute();
      });
      await own.emitted();
      const { signal } = new AbortController();
      const erasing = ctx;
      await eraseUploads(erasing, { userId: dora.user_id, content: 'keep', signal });
      const left = await findCommunity({ ...ctx, ...own.stateOn(ctx.database) }, eve, { id });
      expect([left.icon, left.banner]).toEqual([undefined, undefined]);
      expect((await own.emitted()).map(({ stream, event }) => [stream, event?.op])).toEqual([
        [`c:${id}`, 'COMMUNITY_UPDATE'],
        [`c:${id}`, 'COMMUNITY_UPDATE'],
      ]);
    });

    test('[CO16] removing a picture does not deadlock with a community that begins to show it elsewhere', async () => {
      const [first, second] = [await park(), await park()];
      const icon = await picture(ada);
      for (const { id } of [first, second]) await change(id, { icon });
      const changing = countedAttempts(ctx);
      let changed: Promise<unknown> | undefined;
      const removing = countedAttempts(ctx, async () => {
        changed ??= failureOf(changeCommunity(changing.ctx, ada, { id: second.id, banner: icon }));
        await endedOrWaiting(own.database, changed);
      });
      await removeOwnUpload(removing.ctx, ada, { id: icon });
      expect(await changed).toMatchObject({ data: { field_name: 'banner' } });
      expect([removing.attempts, changing.attempts]).toEqual([1, 1]);
      for (const { id } of [first, second]) {
        expect(await findCommunity(ctx, eve, { id })).not.toHaveProperty('icon');
      }
    });

    test('[CO16][SC40] a community that begins to show a picture while it is removed has none then', async () => {
      // The embedded engine runs one transaction after the other.
      if (own.database.engine === 'sqlite') return;
      const [{ id }, icon] = [await park(), await picture(ada)];
      let shows = 0;
      const showing = async ({ sql: text }: { readonly sql: string }) => {
        if (!text.startsWith('delete from "uploads"')) return;
        shows += 1;
        if (shows === 1) await change(id, { icon });
      };
      const transaction: typeof ctx.database.transaction = (work, options) =>
        ctx.database.transaction(
          // Guarantee: the same writer, except that the picture is shown before a statement.
          (tx) => work({ ...tx, sql: readerBefore(tx.sql, showing) as Writer }),
          options,
        );
      const database = withQueues({ ...ctx.database, transaction });
      await removeOwnUpload({ ...ctx, database }, ada, { id: icon });
      expect(shows).toBe(2);
      expect(await findCommunity(ctx, eve, { id })).not.toHaveProperty('icon');
    });

    test('[CO17][CO17a] a deleted community is there for its owner only, who can restore it within a week', async () => {
      const { id, slug } = await park();
      await joinCommunity(ctx, bob, { community_id: id });
      await own.emitted();
      const remove = (by: Account, given: Partial<Parameters<typeof deleteCommunity>[2]> = {}) =>
        deleteCommunity(ctx, by, { id, slug, current_password: PASSWORD, ...given });
      expect(await reasonOf(remove(bob))).toBe('not_owner');
      expect(await reasonOf(remove(ada, { slug: 'another' }))).toBe('slug');
      expect(await reasonOf(remove(ada, { current_password: 'wrong' }))).toBe('current_password');
      expect(await reasonOf(restoreCommunity(ctx, ada, { id }))).toBe('wrong_state');
      await remove(ada);
      expect(await own.emitted()).toEqual([
        {
          stream: `c:${id}`,
          event: { op: 'COMMUNITY_DELETE', d: { id }, note: { hides: ['post'] } },
        },
        { stream: `c:${id}`, end: { everyone: true } },
      ]);
      for (const actor of [bob, eve, ANYONE]) {
        expect(await failureOf(findCommunity(ctx, actor, { id }))).toEqual(new NotFoundError());
        expect(await slugs(actor, {})).not.toContain(slug);
      }
      expect(await failureOf(restoreCommunity(ctx, bob, { id }))).toEqual(new NotFoundError());
      const ids = async (actor: Account) =>
        (await listOwnCommunities(ctx, actor)).map((each) => each.id);
      expect(await ids(bob)).not.toContain(id);
      expect(await ids(ada)).toContain(id);
      const seen = await findCommunity(ctx, ada, { id });
      expect(seen.deleted_at).toBe(own.clock.unixMs());
      expect(await reasonOf(change(id, { name: 'x y' }))).toBe('community_deleted');
      expect(await reasonOf(own.garden(bob, { slug }))).toBe('taken');

      own.clock.halt(RESTORABLE_MS - 1);
      const restored = await restoreCommunity(ctx, ada, { id });
      expect(restored).not.toHaveProperty('deleted_at');
      expect(restored).toEqual(await showOwnCommunity(ctx, ada, { id }));
      expect((await findCommunity(ctx, bob, { id })).member_count).toBe(2);
      const job = announceRestored(ctx);
      const signal = new AbortController().signal;
      await job.run({ community_id: id }, { id: '1', number: 1, signal });
      const created = (await own.emitted()).map(({ stream, event }) => [stream, event?.op]);
      expect(created.toSorted()).toEqual(
        [ada, bob].map(({ user_id: user }) => [`u:${user}`, 'COMMUNITY_CREATE']),
      );
      await remove(ada);
      own.clock.halt(RESTORABLE_MS);
      expect(await failureOf(restoreCommunity(ctx, ada, { id }))).toEqual(new NotFoundError());
    });

    test('[CO17] nobody joins or changes a community while it is deleted', async () => {
      const { id, slug } = await park();
      const results = await Promise.allSettled([
        deleteCommunity(ctx, ada, { id, slug, current_password: PASSWORD }),
        joinCommunity(ctx, eve, { community_id: id }),
        createChannel(ctx, ada, { community_id: id, kind: 'messages', name: 'late' }),
      ]);
      expect(results[0].status).toBe('fulfilled');
      expect(await failureOf(joinCommunity(ctx, bob, { community_id: id }))).toEqual(
        new NotFoundError(),
      );
      await restoreCommunity(ctx, ada, { id });
      const joined = results[1].status === 'fulfilled' ? 1 : 0;
      expect((await findCommunity(ctx, ada, { id })).member_count).toBe(1 + joined);
    });

    test('[CO18] a community is handed over to another member who can sign in', async () => {
      const garden: OwnCommunity = await park();
      const { id } = garden;
      const secret = await createChannel(ctx, ada, {
        community_id: id,
        kind: 'messages',
        name: 'secret',
        overwrites: [{ id, kind: 'role', allow: [], deny: ['VIEW'] }],
      });
      await joinCommunity(ctx, bob, { community_id: id });
      await own.emitted();
      const hand = (by: Account, to: Account, password = PASSWORD) =>
        changeOwner(ctx, by, { id, user_id: to.user_id, current_password: password });
      expect(await reasonOf(hand(bob, bob))).toBe('not_owner');
      expect(await reasonOf(hand(ada, ada))).toBe('user_id');
      expect(await reasonOf(hand(ada, eve))).toBe('user_id');
      expect(await reasonOf(hand(ada, bob, 'wrong'))).toBe('current_password');
      const handed = await hand(ada, bob);
      expect(handed).toMatchObject({ owner_id: bob.user_id, member_count: 2 });
      const events = await own.emitted();
      expect(events).toContainEqual({
        stream: `c:${id}`,
        event: { op: 'COMMUNITY_UPDATE', d: handed },
      });
      // The former owner sees the channel no more.
      const [end] = events.filter((each) => each.stream === `r:${secret.id}`);
      expect(end?.end).toMatchObject({ unless: { owner: bob.user_id } });
      expect(await reasonOf(change(id, { name: 'Mine' }))).toBe('MANAGE_COMMUNITY');
      expect(await failureOf(hand(ada, bob))).toBeInstanceOf(ForbiddenError);

      // The new owner leaves at the same time, or is the owner.
      for (let round = 0; round < 5; round += 1) {
        await joinCommunity(ctx, eve, { community_id: id });
        const [given, left] = await Promise.allSettled([
          hand(bob, eve),
          leaveCommunity(ctx, eve, { community_id: id }),
        ]);
        expect([given.status, left.status].toSorted()).toEqual(['fulfilled', 'rejected']);
        if (given.status === 'fulfilled') await hand(eve, bob);
        else expect(given.reason).toBeInstanceOf(ValidationError);
      }
      await own.database.transaction(({ sql }) =>
        sql.updateTable('users').set({ state: 'disabled' }).where('id', '=', ada.user_id).execute(),
      );
      expect(await reasonOf(hand(bob, ada))).toBe('user_id');
    });
  });
});
