import type { Id, NewPost } from '@hearth/protocol';
import {
  communityTest,
  type CommunityProcess,
  type CommunityTest,
} from '@hearth/testing/communities';
import { PAGE_TEXT } from '@hearth/testing/instances/web-folder';
import { named } from '@hearth/testing/instances/named';
import { readerBefore } from '@hearth/testing/ports/reader-before';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { until } from '@hearth/testing/until';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Account } from '../../../actor.ts';
import { readEnvironment } from '../../../config/environment.ts';
import { parseInstanceFile } from '../../../config/instance-file.ts';
import { setBan } from '../../communities/bans/set-ban.ts';
import { createChannel } from '../../communities/channels/create-channel.ts';
import { setOverwrite } from '../../communities/channels/set-overwrite.ts';
import { changeComment } from '../../forum/comments/change-comment.ts';
import { createComment } from '../../forum/comments/create-comment.ts';
import { deleteComment } from '../../forum/comments/delete-comment.ts';
import { changeCommunity } from '../../communities/communities/change-community.ts';
import { joinCommunity } from '../../communities/members/join-community.ts';
import { changePost } from '../../forum/posts/change-post.ts';
import { createPost } from '../../forum/posts/create-post.ts';
import { deletePost } from '../../forum/posts/delete-post.ts';
import { deletePostsOf } from '../../forum/posts/delete-posts-of.ts';
import type { Caller } from '../../../http/caller.ts';
import { rawPath } from '../../../http/path.ts';
import type { InstanceContext } from '../../../instance-context.ts';
import { letOthersRun } from '../../../lib/let-others-run.ts';
import { FailureLog } from '../../../log/failure-log.ts';
import type { LogFields } from '../../../log/logger.ts';
import { webService } from '../../../components/web/web.ts';
import { publicPages } from './public-pages.ts';
import type { FindShown, ShownPlaces } from './shown.ts';

const SITE = { page: PAGE_TEXT, manifest: undefined, files: new Map() };

/** Counts of what was found, and rendered. */
interface Counts {
  found: number;
  rendered: number;
}

/** Serves visitors of an instance with this context, and counts renderings. */
function plainPages(ctx: InstanceContext, toml = '') {
  const file = parseInstanceFile(named(toml), 'instance.toml');
  if (file.state !== 'read') throw new Error(`it is ${file.state}`);
  const { settings } = file;
  const { deployment } = readEnvironment({ HOST: '127.0.0.1' }, '/srv');
  const own = { ...ctx, settings };
  const pages = publicPages(own);
  const counts: Counts = { found: 0, rendered: 0 };
  const { http } = webService(
    own,
    { settings, deployment },
    {
      site: SITE,
      plain: {
        pages: {
          ...pages,
          places: counted(pages.places, counts),
          documents: counted(pages.documents, counts),
        },
        limiter: { take: () => ctx.limiter.take('page', 'anybody', 1_000_000) },
        // However busy the machine is.
        patience: { pageMs: 60_000, documentMs: 60_000 },
      },
    },
  );
  const ask = async (path: string, headers: Record<string, string> = {}, client = 'anybody') => {
    const request = new Request(`http://h${path}`, { headers: { Host: 'h', ...headers } });
    const peer = {
      address: client,
      isCrowded: false,
      allowSilence() {},
      beginTransfer: () => true,
    };
    const caller: Caller = { client, basePath: '', peer };
    return await http.find('GET', rawPath(request.url))(request, caller);
  };
  return { counts, ask, text: async (path: string) => (await ask(path)).text() };
}

function counted(places: ShownPlaces, counts: Counts): ShownPlaces {
  const counting =
    (find: FindShown): FindShown =>
    async (params) => {
      counts.found += 1;
      const shown = await find(params);
      return (
        shown && {
          ...shown,
          render(to) {
            counts.rendered += 1;
            return shown.render(to);
          },
        }
      );
    };
  return new Map(Array.from(places, ([path, find]) => [path, counting(find)]));
}

const urn = (id: string) => `urn:hearth:${id}`;

onEachDatabase((open, engine) => {
  describe('plain pages', () => {
    let own: CommunityTest;
    let second: CommunityProcess;
    let ctx: InstanceContext;
    let ada: Account;
    let bob: Account;
    let gardens = 0;
    /** The answers of another process of the same instance. */
    let other: ReturnType<typeof plainPages>;

    beforeAll(async () => {
      own = await communityTest(open);
      ctx = own.ctx;
      [ada, bob] = [await own.person('ada'), await own.person('bob')];
      second = await own.another();
      other = plainPages(second);
    });
    afterAll(async () => {
      await second[Symbol.asyncDispose]();
      await own[Symbol.asyncDispose]();
    });

    /** A public community with a channel for posts. */
    async function garden() {
      gardens += 1;
      const slug = `plain-${gardens}`;
      const { id } = await own.garden(ada, { visibility: 'public', slug, join: 'open' });
      const news = await createChannel(ctx, ada, { community_id: id, kind: 'posts', name: 'news' });
      return { id, slug, news: news.id };
    }
    const posted = async (channel: Id, post: Partial<NewPost>, by = ada) =>
      (await createPost(ctx, by, { channel_id: channel, title: 'Tulips', ...post })).id;

    test('[SY6][SY8] requests for one feed at the same time share a reading and a rendering, whatever their Host', async () => {
      const { slug, news } = await garden();
      await posted(news, { content: 'They are *red*.' });
      const { counts, ask } = plainPages(ctx);
      const all = (host: (at: number) => string) =>
        Promise.all(
          Array.from({ length: 60 }, async (_, at) => {
            const answer = await ask(`/c/${slug}.rss`, { Host: host(at) });
            return [answer.status, (await answer.text()).split(`http://${host(at)}/c/`).length];
          }),
        );
      // The address of the feed, of its page, and of the post.
      expect(await all(() => 'one.example')).toEqual(Array(60).fill([200, 4]));
      // The first request is read for at once, and all others wait for the next reading.
      expect(counts).toEqual({ found: 2, rendered: 1 });
      expect(await all((at) => `host-${at}.example:${at + 1}`)).toEqual(Array(60).fill([200, 4]));
      expect(counts).toEqual({ found: 4, rendered: 1 });
      await posted(news, { title: 'Sage' });
      await ask(`/c/${slug}.rss`);
      expect(counts).toEqual({ found: 5, rendered: 2 });
    });

    test('[SY8] a post is rendered once, whatever title its address has, and its page has the address of its host', async () => {
      const { slug, news } = await garden();
      const post = await posted(news, { content: 'They are *red*.' });
      const { counts, ask } = plainPages(ctx);
      const tags = new Set<string | null>();
      for (const host of ['one.example', 'two.example', 'one.example']) {
        for (const title of ['tulips', 'lilies']) {
          const answer = await ask(`/c/${slug}/p/${post}/${title}`, { Host: host });
          const page = await answer.text();
          expect(page).toContain(`<link rel="canonical" href="http://${host}/c/${slug}/p/`);
          expect(page).toContain(`"url":"http://${host}/c/${slug}/p/`);
          expect(page).not.toContain('.invalid');
          tags.add(answer.headers.get('etag'));
        }
      }
      expect(tags.size).toBe(2);
      expect(counts.rendered).toBe(1);
    });

    test('[SY1][SY8] an ETag is the same in every process, and is answered with 304 until something changes', async () => {
      const { slug, news } = await garden();
      const post = await posted(news, {});
      const { ask } = plainPages(ctx);
      for (const path of [`/c/${slug}.atom`, `/c/${slug}`, `/c/${slug}/p/${post}/x`]) {
        const etag = (await ask(path)).headers.get('etag') ?? '';
        const known = { 'If-None-Match': etag };
        expect((await other.ask(path)).headers.get('etag')).toBe(etag);
        expect((await other.ask(path, known)).status).toBe(304);
        await posted(news, { title: path });
        await createComment(ctx, ada, { post_id: post, content: path });
        expect((await other.ask(path, known)).status).toBe(200);
      }
    });

    test('[SY13] a post keeps its identifier in feeds if its title, its place and the address of the instance change', async () => {
      const { id, slug, news } = await garden();
      const post = await posted(news, {});
      const changed = `${slug}-changed`;
      const identifiers = async (at: string, host: string) => {
        const { ask } = plainPages(ctx);
        const places = [`/c/${at}`, `/c/${at}/${news}`, '/u/ada'];
        const paths = places.flatMap((place) => [`${place}.rss`, `${place}.atom`]);
        const texts = paths.map(async (path) => (await ask(path, { Host: host })).text());
        const all = (await Promise.all(texts)).map((text) =>
          Array.from(text.matchAll(/<(?:guid|id)[^>]*>(.*?)</g), ([, name]) => name),
        );
        const expected = [id, news].flatMap((about) => [[post], [about, post]]);
        expect(all.slice(0, 4)).toEqual(expected.map((ids) => ids.map(urn)));
        return all.map((names) => names.slice(0, 2));
      };
      const before = await identifiers(slug, 'one.example');
      expect(before[4]?.[0]).toBe(urn(post));
      expect(before[5]).toEqual([urn(ada.user_id), urn(post)]);
      await changePost(ctx, ada, { id: post, title: 'Lilies', content: 'They are white.' });
      await changeCommunity(ctx, ada, { id, slug: changed });
      expect(await identifiers(changed, 'two.example')).toEqual(before);
    });

    test('[SY6] a request that comes during a reading is answered with what is read after it', async () => {
      const { slug, news } = await garden();
      const post = await posted(news, {});
      const { promise: isReading, resolve: noteReading } = Promise.withResolvers<void>();
      const { promise: mayRead, resolve: read } = Promise.withResolvers<void>();
      let isRead = false;
      const reader = readerBefore(ctx.database.reader, async ({ sql }) => {
        if (!/from ["`]?posts/.test(sql)) return;
        if (isRead) return;
        isRead = true;
        noteReading();
        await mayRead;
      });
      const { text, counts } = plainPages({ ...ctx, database: { ...ctx.database, reader } });
      const path = `/c/${slug}.rss`;
      const first = text(path);
      await isReading;
      await deletePost(ctx, ada, { id: post });
      const later = [text(path), text(path)];
      read();
      await first;
      for (const each of await Promise.all(later)) expect(each).not.toContain('Tulips');
      expect(counts.found).toBe(2);
    });

    test('[SY6] what cannot be read is reported, and the page comes without it', async () => {
      const { slug } = await garden();
      const away = new Error('the database is away');
      const reader = readerBefore(ctx.database.reader, () => Promise.reject(away));
      const reported: unknown[] = [];
      const error = ({ err }: LogFields) => void reported.push(err);
      using failures = new FailureLog({ ...ctx.log, error }, ctx.clock);
      const { ask } = plainPages({ ...ctx, failures, database: { ...ctx.database, reader } });
      expect((await ask(`/c/${slug}`)).status).toBe(200);
      expect((await ask(`/c/${slug}.rss`)).status).toBe(500);
      expect(reported).toEqual([away, away]);
    });

    test('[SY6] what is posted, changed or deleted is shown so at once by every process', async () => {
      const { slug, news } = await garden();
      const id = await posted(news, { title: 'Rosemary' });
      const lists = [`/c/${slug}.rss`, `/c/${slug}`, `/c/${slug}/${news}.atom`, '/u/ada.rss'];
      const path = `/c/${slug}/p/${id}/x`;
      const pages = async (expected: string, places = [...lists, path]) => {
        for (const place of places)
          expect([place, await other.text(place)]).toEqual([
            place,
            expect.stringContaining(expected),
          ]);
      };
      await pages('Rosemary');
      await changePost(ctx, ada, { id, title: 'Thyme', content: 'The gardener did it.' });
      await pages('Thyme');
      await pages('gardener', [`/c/${slug}.rss`, path]);
      await changePost(ctx, ada, { id, spoiler: true });
      for (const place of [...lists, path])
        expect(await other.text(place)).not.toContain('gardener');
      const comment = await createComment(ctx, ada, { post_id: id, content: 'Basil' });
      await createComment(ctx, ada, { post_id: id, content: 'reply', parent_id: comment.id });
      await pages('Basil', [path]);
      await changeComment(ctx, ada, { id: comment.id, content: 'Parsley' });
      await pages('Parsley', [path]);
      expect(await other.text(path)).not.toContain('Basil');
      await deleteComment(ctx, ada, { id: comment.id });
      expect(await other.text(path)).not.toContain('Parsley');
      await deletePost(ctx, ada, { id });
      for (const place of [...lists, path]) expect(await other.text(place)).not.toContain('Thyme');
    });

    /** Checks that a text is at none of these places of the other process: at once, or as soon as that receives the change. */
    const isGone = async (text: string, places: readonly string[]) => {
      const gone = async () => {
        const texts = await Promise.all(places.map((place) => other.text(place)));
        return texts.every((each) => !each.includes(text));
      };
      // A request comes in a later turn of the event loop than the change.
      await letOthersRun();
      if (engine === 'sqlite') expect(await gone()).toBe(true);
      else await until(gone);
    };

    test('[SY2][SY6] what visitors may not see any more is not shown by any process', async () => {
      const { id, slug, news } = await garden();
      const herbs = await createChannel(ctx, ada, {
        community_id: id,
        kind: 'posts',
        name: 'herbs',
      });
      const [tulips, sage] = [
        await posted(news, { title: 'Hidden tulips' }),
        await posted(herbs.id, { title: 'Hidden sage' }),
      ];
      const pages = (channel: Id, post: Id) =>
        [`/c/${slug}.rss`, `/c/${slug}`, '/u/ada.atom', '/u/ada', '/sitemap.xml'].concat([
          `/c/${slug}/${channel}.rss`,
          `/c/${slug}/p/${post}/x`,
        ]);
      const all = await Promise.all(pages(news, tulips).map((place) => other.text(place)));
      for (const text of all) expect(text).toMatch(/Hidden tulips|hidden-tulips/);
      const hidden = {
        id: news,
        subject_id: id,
        kind: 'role' as const,
        allow: [],
        deny: ['VIEW' as const],
      };
      await setOverwrite(ctx, ada, hidden);
      await isGone('idden tulips', pages(news, tulips));
      await isGone('hidden-tulips', pages(news, tulips));
      expect(await other.text(`/c/${slug}.rss`)).toContain('Hidden sage');
      await changeCommunity(ctx, ada, { id, visibility: 'private', join: 'invite' });
      await isGone('idden sage', pages(herbs.id, sage));
      await isGone(`/c/${slug}`, ['/sitemap.xml']);
    });

    test('[SY3][SY6] the sitemap leaves out at once what was deleted or is sensitive, and has new posts after a minute', async () => {
      const { slug, news } = await garden();
      const [sage, mint] = [
        await posted(news, { title: 'Sage' }),
        await posted(news, { title: 'Mint' }),
      ];
      const listed = async () =>
        (await other.text('/sitemap.xml')).split(`/c/${slug}/p/`).length - 1;
      own.clock.advance(60_000);
      expect(await listed()).toBe(2);
      await posted(news, {});
      await deletePost(ctx, ada, { id: sage });
      await changePost(ctx, ada, { id: mint, sensitive: true });
      await isGone(sage, ['/sitemap.xml']);
      await isGone(mint, ['/sitemap.xml']);
      expect(await listed()).toBe(0);
      own.clock.advance(60_000);
      expect(await listed()).toBe(1);
    });

    test('[SY6] texts that a ban removed are not shown by any process', async () => {
      const { id, slug, news } = await garden();
      await joinCommunity(ctx, bob, { community_id: id });
      const post = await posted(news, { title: 'Spam of bob' }, bob);
      const places = [`/c/${slug}.rss`, `/c/${slug}/p/${post}/x`, '/u/bob.rss', '/sitemap.xml'];
      own.clock.advance(60_000);
      expect(await other.text('/sitemap.xml')).toContain('spam-of-bob');
      await setBan(ctx, ada, { community_id: id, user_id: bob.user_id, delete_seconds: 600 });
      // What the job of the ban does.
      const { signal } = new AbortController();
      await deletePostsOf(ctx, { userId: bob.user_id, communityId: id, signal });
      await isGone('Spam of bob', places);
      await isGone('spam-of-bob', places);
    });

    test('[SY8] a token shows nothing more, and the next visitor is shown nothing of it', async () => {
      const { id } = await own.garden(ada, { visibility: 'private', slug: `private-${engine}` });
      const herbs = await createChannel(ctx, ada, { community_id: id, kind: 'posts', name: 'h' });
      await posted(herbs.id, { title: 'Secret sage' });
      const { ask, text } = plainPages(ctx);
      const headers = { Authorization: 'Bearer any', Cookie: 'token=any' };
      for (const path of [`/c/private-${engine}`, `/c/private-${engine}.rss`, '/u/ada']) {
        expect(await (await ask(path, headers)).text()).not.toContain('ecret sage');
        expect(await text(path)).not.toContain('ecret sage');
      }
    });
  });
});
