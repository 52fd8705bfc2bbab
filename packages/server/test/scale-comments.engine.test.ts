import {
  channelSchema,
  commentListSchema,
  commentSchema,
  ownCommunitySchema,
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

const PEOPLE = 48;
const COMMENTS_EACH = 2;

test.skipIf(areServersMissing)(
  '[CT2][CT16][CT21] comments that come to two processes at once are stored once each, and are sent in the order that pages have',
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
    const asked = { kind: 'posts', name: 'Posts' };
    const channel = channelSchema.parse(await ask(0, 'POST', `/communities/${id}/channels`, asked));
    const written = await ask(0, 'POST', `/channels/${channel.id}/posts`, { title: 'Which?' });
    const post = postSchema.parse(written);
    using watcher = await AccountClient.enter(cluster.at(), { token: tokens[0] ?? '' });
    const d = { communities: [id], posts: [post.id] };
    watcher.raw.sendText(JSON.stringify({ op: 'WATCH', d }));
    await watcher.raw.until(() => watcher.payloads.some(({ op }) => op === 'WATCHED'));
    const path = `/posts/${post.id}/comments`;
    const answered = await Promise.all(
      tokens.map(async (_, person) => {
        const ids: Id[] = [];
        for (let count = 0; count < COMMENTS_EACH; count += 1) {
          const nonce = String(count);
          const comment = { content: `${person} ${count}`, nonce };
          // Twice at once, as after a loss of the connection.
          const both = [1, 2].map(() => ask(person, 'POST', path, comment));
          for (const answer of await Promise.all(both)) ids.push(commentSchema.parse(answer).id);
        }
        return ids;
      }),
    );
    const ids = new Set(answered.flat());
    expect(ids.size).toBe(PEOPLE * COMMENTS_EACH);
    const sent = () =>
      watcher.payloads.flatMap((payload) => (payload.op === 'COMMENT_CREATE' ? [payload.d] : []));
    await watcher.raw.until(() => sent().length >= ids.size);
    const list = await ask(0, 'GET', `${path}?sort=old&limit=100&depth=1`);
    const page = commentListSchema.parse(list);
    expect(new Set(page.map((comment) => comment.id))).toEqual(ids);
    expect(sent().map((event) => event.id)).toEqual(page.map((comment) => comment.id));
    expect(sent().map((event) => event.comment_count)).toEqual(page.map((_, at) => at + 1));
    const moments = page.map((comment) => comment.created_at);
    expect(moments).toEqual(moments.toSorted((one, other) => one - other));
  },
  60_000,
);
