import {
  channelMessageListSchema,
  channelSchema,
  ownCommunitySchema,
  postListSchema,
  postSchema,
} from '@hearth/protocol/schemas';
import type { Id } from '@hearth/protocol';
import { AccountClient } from '@hearth/testing/clients/account-client';
import { asOwner } from '@hearth/testing/instances/as-owner';
import { Cluster } from '@hearth/testing/instances/cluster';
import { addUsers } from '@hearth/testing/instances/many-users';
import { areServersMissing, sharedServers } from '@hearth/testing/servers/shared-servers';
import { expect, test } from 'bun:test';
import { askingAs } from './support/asking-as.ts';

const PEOPLE = 40;
const POSTS_EACH = 2;

test.skipIf(areServersMissing)(
  '[PO1][PO3][PO17][SC45] posts that come to two processes at once are stored and shown once each, in one order everywhere',
  async () => {
    await using servers = await sharedServers();
    const environment = await servers.newInstance();
    await using cluster = await Cluster.start(environment, { gateways: 1 });
    const tokens = await asOwner({ servers: environment }, ({ database }) =>
      addUsers(database, PEOPLE),
    );
    const asking = askingAs(cluster, tokens);
    const ask = async (person: number, method: string, path: string, body?: object) => {
      const { status, json } = await asking(person, method, path, body);
      expect([path, status]).toEqual([path, 200]);
      return json;
    };
    const given = { name: 'Talks', slug: 'talks', visibility: 'public', join: 'open' };
    const { id } = ownCommunitySchema.parse(await ask(0, 'POST', '/communities', given));
    const make = async (asked: object) =>
      channelSchema.parse(await ask(0, 'POST', `/communities/${id}/channels`, asked)).id;
    const talk = await make({ kind: 'messages', name: 'talk' });
    const forum = await make({ kind: 'posts', name: 'forum' });
    await ask(0, 'PATCH', `/channels/${forum}`, { card_channel_ids: [talk] });
    await Promise.all(
      tokens.slice(1).map((_, at) => ask(at + 1, 'PUT', `/communities/${id}/members/me`, {})),
    );
    using watcher = await AccountClient.enter(cluster.at(), { token: tokens[0] ?? '' });
    const d = { communities: [id] };
    watcher.raw.sendText(JSON.stringify({ op: 'WATCH', d }));
    await watcher.raw.until(() => watcher.payloads.some(({ op }) => op === 'WATCHED'));
    const path = `/channels/${forum}/posts`;
    const answered = await Promise.all(
      tokens.map(async (_, person) => {
        const ids: Id[] = [];
        for (let count = 0; count < POSTS_EACH; count += 1) {
          const post = { title: `${person} ${count}`, nonce: String(count) };
          // Twice at once, as after a loss of the connection.
          const both = [1, 2].map(() => ask(person, 'POST', path, post));
          for (const answer of await Promise.all(both)) ids.push(postSchema.parse(answer).id);
        }
        return ids;
      }),
    );
    const ids = new Set(answered.flat());
    expect(ids.size).toBe(PEOPLE * POSTS_EACH);
    const posted = () =>
      watcher.payloads.flatMap((payload) => (payload.op === 'POST_CREATE' ? [payload.d] : []));
    const shown = () =>
      watcher.payloads.flatMap((payload) => (payload.op === 'MESSAGE_CREATE' ? [payload.d] : []));
    await watcher.raw.until(() => Math.min(posted().length, shown().length) >= ids.size);
    const list = postListSchema.parse(await ask(0, 'GET', `${path}?sort=new&limit=100`));
    const posts = list.toReversed();
    expect(new Set(posts.map((post) => post.id))).toEqual(ids);
    expect(posted().map((event) => event.id)).toEqual(posts.map((post) => post.id));
    const said = await ask(0, 'GET', `/channels/${talk}/messages?limit=100`);
    const cards = channelMessageListSchema.parse(said).toReversed();
    expect(cards.map((card) => card.post_id)).toEqual(posts.map((post) => post.id));
    expect(shown().map((event) => event.id)).toEqual(cards.map((card) => card.id));
    const moments = posts.map((post) => post.created_at);
    expect(moments).toEqual(moments.toSorted((one, other) => one - other));
  },
  60_000,
);
