import type { Id, OwnCommunity } from '@hearth/protocol';
import { newPostSchema, RESTORABLE_MS } from '@hearth/protocol/schemas';
import { photograph } from '@hearth/testing/clients/photograph';
import {
  communityTest,
  type CommunityProcess,
  type CommunityTest,
} from '@hearth/testing/communities';
import { CHEAP_PASSWORDS } from '@hearth/testing/instances/cheap-passwords';
import { sealContent } from '@hearth/testing/ports/upload-verbs';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { until } from '@hearth/testing/until';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import type { SessionAccount } from '../../../actor.ts';
import { filesService } from '../../../components/files/files.ts';
import { httpHandlers } from '../../../http/handlers.ts';
import type { InstanceContext } from '../../../instance-context.ts';
import { policiesBy } from '../../../ports/limiter/limiter.ts';
import { memoryLimiter } from '../../../ports/limiter/memory.ts';
import { PURGERS } from '../../../lists/purgers.ts';
import { TABLES } from '../../../schema.ts';
import { createChannel } from '../../communities/channels/create-channel.ts';
import { deleteChannel } from '../../communities/channels/change-channel.ts';
import { changeCommunity } from '../../communities/communities/change-community.ts';
import {
  deleteCommunity,
  restoreCommunity,
} from '../../communities/communities/delete-community.ts';
import { deleteMe } from '../../accounts/own-account/delete-me.ts';
import { insertExport, noteArchive } from '../../accounts/exports/store.ts';
import { joinCommunity } from '../../communities/members/join-community.ts';
import { deleteChannelMessage } from '../../talk/messages/delete-message.ts';
import { postMessage } from '../../talk/messages/post-message.ts';
import { createPost } from '../../forum/posts/create-post.ts';
import { deletePost } from '../../forum/posts/delete-post.ts';
import { purgeCommunities } from '../../communities/purge/purge-communities.ts';
import { Passwords } from '../../accounts/users/passwords.ts';
import { updateMe } from '../../accounts/own-account/update-me.ts';
import { createUpload } from './create-upload.ts';
import { eraseUploads } from './erase-uploads.ts';
import { NamedFiles } from './named-files.ts';

const PASSWORD = 'correct horse battery';
const PEER = {
  address: '192.0.2.1',
  isCrowded: false,
  allowSilence() {},
  beginTransfer: () => true,
};

/** The columns that name an upload, and what counts it as a use. */
const USES: Readonly<Record<string, string>> = {
  'users.avatar': 'public_uses of the upload',
  'users.banner': 'public_uses of the upload',
  'communities.icon': 'public_uses of the upload',
  'communities.banner': 'public_uses of the upload',
  'channel_files.file_id': 'isAttached in attached-store.ts',
  'post_files.file_id': 'isAttached in attached-store.ts',
  'link_previews.picture_id': 'nothing: nobody else can use a file that nobody has uploaded',
};

test('[FS43] every column that names a file is in the table of uses', () => {
  const naming = Object.entries(TABLES).flatMap(([table, { columns }]) =>
    Object.keys(columns)
      .filter((column) =>
        /^(?:avatar|banner|icon|.*(?:file|picture|upload|image)_id)$/.test(column),
      )
      .map((column) => `${table}.${column}`),
  );
  expect(naming.toSorted()).toEqual(Object.keys(USES).toSorted());
});

onEachDatabase((open) => {
  describe('uses of files', () => {
    let own: CommunityTest;
    let ctx: InstanceContext;
    let second: CommunityProcess;
    let ada: SessionAccount;
    let bob: SessionAccount;
    let garden: OwnCommunity;
    let general: Id;
    let news: Id;
    let made = 0;
    /** Requests a path of the file service in one of two processes. */
    let ask: readonly ((path: string) => Promise<number>)[];

    beforeAll(async () => {
      own = await communityTest(open);
      second = await own.another();
      // Guarantee: what is done here needs neither mail nor tokens.
      ctx = { ...own.ctx, passwords: new Passwords(CHEAP_PASSWORDS) } as typeof ctx;
      ada = await person('ada');
      ask = [own.ctx, second].map((process) => {
        const limiter = memoryLimiter(
          policiesBy(() => ({ resetAfterMs: 60_000, limit: 1_000 })),
          own.clock,
        );
        const { handle } = httpHandlers(filesService({ ...process, limiter }), () => '192.0.2.9');
        return async (path) => {
          await new Promise((resolve) => setImmediate(resolve));
          return (await handle(new Request(`http://h${path}`), PEER)).status;
        };
      });
    });
    afterAll(async () => {
      await second[Symbol.asyncDispose]();
      await own[Symbol.asyncDispose]();
    });
    beforeEach(async () => {
      bob = await person(`bob${(made += 1)}`);
      garden = await own.garden(ada, { visibility: 'public' });
      const [first] = garden.channels;
      if (first === undefined) throw new Error('there is no first channel');
      general = first.id;
      const channel = { community_id: garden.id, kind: 'posts', name: 'news' } as const;
      news = (await createChannel(ctx, ada, channel)).id;
      await joinCommunity(ctx, bob, { community_id: garden.id });
    });

    const person = async (username: string): Promise<SessionAccount> => {
      const user = await own.person(username);
      const password_hash = await ctx.passwords.hash(PASSWORD);
      await own.ctx.database.transaction(({ sql }) =>
        sql.updateTable('users').set({ password_hash }).where('id', '=', user.user_id).execute(),
      );
      return user;
    };
    /** Uploads a picture that nobody else has. */
    const upload = async (by: SessionAccount) => {
      const bytes = await photograph({ width: 16 + (made += 1), height: 8 });
      const file = { bucket: 'attachments', name: 'a.png', spoiler: false };
      const data = await createUpload(ctx, by, { ...file, sealed: await sealContent(ctx, bytes) });
      // Guarantee: every upload has one.
      const id = data.id as Id;
      const key = `?key=${data.key}`;
      return { id, paths: [`/${id}${key}`, `/media/${id}${key}&size=96`] };
    };
    type Upload = Awaited<ReturnType<typeof upload>>;
    const say = (by: SessionAccount, id: Id) =>
      postMessage(ctx, by, { channel_id: general, content: '', attachments: [{ id }] });
    const write = (by: SessionAccount, id: Id) =>
      createPost(ctx, by, {
        channel_id: news,
        ...newPostSchema.parse({ title: 'A', attachments: [{ id }] }),
      });
    const answers = (paths: readonly string[], process = 0) =>
      Promise.all(paths.map((path) => ask[process]?.(path)));
    const isServed = async ({ paths }: Upload) => {
      for (const process of [0, 1]) expect(await answers(paths, process)).toEqual([200, 200]);
    };
    /** It is gone when the act was answered, and soon in another process, without any job. */
    const isGone = async (paths: readonly string[]) => {
      const none = paths.map(() => 404);
      expect(await answers(paths)).toEqual(none);
      await until(async () => (await answers(paths, 1)).every((status) => status === 404));
    };
    /** The address of an archive of a person, which has the content of an upload. */
    const archiveOf = async ({ user_id: userId }: SessionAccount, id: Id) => {
      const key = `archive-${userId}`;
      const expiresAtMs = own.clock.unixMs() + 1_000;
      await own.database.transaction(async ({ sql }) => {
        const { blob_key: blobKey } = await sql
          .selectFrom('uploads')
          .select('blob_key')
          .where('id', '=', id)
          .executeTakeFirstOrThrow();
        const times = { requested_at_ms: 1, expires_at_ms: expiresAtMs };
        await insertExport(sql, { user_id: userId, key, ...times });
        await noteArchive(sql, key, { blobKey, expiresAtMs });
      });
      return `/exports/${key}`;
    };
    const update = (by: SessionAccount, avatar: Id | null) => updateMe(ctx, by, { avatar });

    test('[FS43] a picture stays as long as a message or post has it, whatever else stops using it', async () => {
      const [inMessage, inPost] = [await upload(bob), await upload(bob)];
      await say(bob, inMessage.id);
      await write(bob, inPost.id);
      for (const each of [inMessage, inPost]) {
        await update(bob, each.id);
        expect(await answers([`/${each.id}`])).toEqual([200]);
        await update(bob, null);
        await isServed(each);
        await isGone([`/${each.id}`]);
      }
      const icon = await upload(ada);
      const said = await say(ada, icon.id);
      await changeCommunity(ctx, ada, { id: garden.id, icon: icon.id });
      await changeCommunity(ctx, ada, { id: garden.id, icon: null });
      await isServed(icon);
      await deleteChannelMessage(ctx, ada, { channel_id: general, id: said.id });
      await isGone(icon.paths);
    });

    test('[FS43] a picture stays as long as a profile has it, and goes with its last use', async () => {
      const file = await upload(bob);
      const { id } = await write(bob, file.id);
      await update(bob, file.id);
      await deletePost(ctx, bob, { id });
      await isServed(file);
      await update(bob, null);
      await isGone(file.paths);
      const rows = own.database.reader.selectFrom('uploads').select('id');
      expect(await rows.where('id', '=', file.id).execute()).toEqual([]);
    });

    test('[FS43] a picture that is attached stays with the texts of a deleted account, and is public no more', async () => {
      const file = await upload(bob);
      await say(bob, file.id);
      await update(bob, file.id);
      const icon = await upload(bob);
      await own.database.transaction(({ sql }) =>
        sql.updateTable('uploads').set({ public_uses: 1 }).where('id', '=', icon.id).execute(),
      );
      const proof = { current_password: PASSWORD, content: 'keep' } as const;
      await deleteMe(ctx, bob, proof);
      const { signal } = new AbortController();
      // Guarantee: it needs nothing of the lobby.
      await eraseUploads(ctx, { ...proof, userId: bob.user_id, signal });
      await isServed(file);
      await isGone([`/${file.id}`, ...icon.paths]);
    });

    test('[FS44] the files of a message, a post and a channel are not found from the deletion on', async () => {
      const [one, two, three, four] = [
        await upload(bob),
        await upload(bob),
        await upload(bob),
        await upload(bob),
      ];
      // What is kept of a file before it is attached goes, too.
      for (const each of [one, two, three, four]) await isServed(each);
      const message = await say(bob, one.id);
      const post = await write(bob, two.id);
      await say(bob, three.id);
      await write(bob, four.id);
      for (const each of [one, two, three, four]) await isServed(each);
      await deleteChannelMessage(ctx, bob, { channel_id: general, id: message.id });
      await isGone(one.paths);
      await deletePost(ctx, bob, { id: post.id });
      await isGone(two.paths);
      await isServed(three);
      await deleteChannel(ctx, ada, { id: general });
      await isGone([...three.paths, `/${three.id}/data${three.paths[0]?.slice(-37)}`]);
      await isServed(four);
      await deleteChannel(ctx, ada, { id: news });
      await isGone(four.paths);
    });

    test('[FS44] the files and pictures of a community are not found while it is deleted', async () => {
      const [file, icon, both] = [await upload(bob), await upload(ada), await upload(ada)];
      await say(bob, file.id);
      await changeCommunity(ctx, ada, { id: garden.id, icon: icon.id, banner: both.id });
      await update(ada, both.id);
      const shown = [`/${icon.id}`, `/media/${icon.id}?size=96`];
      const proof = { id: garden.id, slug: garden.slug, current_password: PASSWORD };
      for (let time = 0; time < 2; time += 1) {
        await isServed(file);
        await isServed(icon);
        expect(await answers(shown, 1)).toEqual([200, 200]);
        await deleteCommunity(ctx, ada, proof);
        await isGone([...file.paths, ...shown, ...icon.paths]);
        expect(await answers([`/${both.id}`])).toEqual([200]);
        if (time === 0) await restoreCommunity(ctx, ada, { id: garden.id });
      }
      await update(ada, null);
      await isGone([`/${both.id}`]);
      const unixMs = () => own.clock.unixMs() + 2 * RESTORABLE_MS;
      // Guarantee: it needs nothing of the lobby.
      const later = { ...ctx, clock: { ...own.clock, unixMs } };
      const { signal } = new AbortController();
      const job = purgeCommunities(later, { purgers: PURGERS, afterRows: [], tables: TABLES });
      await job.run(undefined, { id: '1', number: 1, signal });
      const ids = [icon.id, both.id];
      const rows = own.database.reader.selectFrom('uploads').select('id');
      expect(await rows.where('id', 'in', ids).execute()).toEqual([]);
    });

    test('[FS44] what an account has uploaded is not found from its deletion on, unless its texts stay', async () => {
      const eve = await person(`eve${made}`);
      await joinCommunity(ctx, eve, { community_id: garden.id });
      const [kept, erased, alone] = [await upload(eve), await upload(bob), await upload(bob)];
      await say(eve, kept.id);
      await say(bob, erased.id);
      for (const each of [kept, erased, alone]) await isServed(each);
      await deleteMe(ctx, eve, { current_password: PASSWORD, content: 'keep' });
      await isServed(kept);
      const archive = await archiveOf(bob, alone.id);
      const named = new NamedFiles({ ...ctx, fileAddresses: ['https://f.example/'] });
      const text = `https://f.example${erased.paths[0]}`;
      expect(await named.in([text])).toMatchObject([[{ id: erased.id }]]);
      expect([await answers([archive]), await answers([archive], 1)]).toEqual([[200], [200]]);
      await deleteMe(ctx, bob, { current_password: PASSWORD, content: 'erase' });
      await isGone([...erased.paths, ...alone.paths, archive]);
      expect(await named.in([text])).toEqual([[]]);
    });
  });
});
