import { channelSchema, ownCommunitySchema, postSchema } from '@hearth/protocol/schemas';
import { AccountClient } from '@hearth/testing/clients/account-client';
import { RestPerson } from '@hearth/testing/clients/rest-person';
import { startTestInstance } from '@hearth/testing/instances/test-instance';
import { expect, test } from 'bun:test';
import { z } from 'zod';

test('[PO1, PO7] a post is sent to those who see it, and its score to those who watch it', async () => {
  await using instance = await startTestInstance({ toml: 'registration = "open"' });
  const ada = await RestPerson.register(instance, 'ada');
  const bob = await RestPerson.register(instance, 'bob');
  const garden = await ada.garden('garden', { visibility: 'public' });
  await bob.ok(ownCommunitySchema, 'PUT', `/communities/${garden.id}/members/me`);
  const make = (name: string, deny: readonly string[]) =>
    ada.ok(channelSchema, 'POST', `/communities/${garden.id}/channels`, {
      kind: 'posts',
      name,
      overwrites: [{ id: garden.id, kind: 'role', allow: [], deny }],
    });
  const [open, secret] = [await make('news', []), await make('secret', ['VIEW'])];
  using client = await AccountClient.enter(instance, { token: bob.token });
  const write = ({ id }: { readonly id: string }, title: string) =>
    ada.ok(postSchema, 'POST', `/channels/${id}/posts`, { title });
  const hidden = await write(secret, 'Hidden');
  const post = await write(open, 'Basil');
  const sent = (op: string) => client.payloads.filter((payload) => payload.op === op);
  await client.raw.until(() => sent('POST_CREATE').length > 0);
  expect(sent('POST_CREATE')).toMatchObject([{ t: `c:${garden.id}`, d: { id: post.id } }]);

  const watch = { op: 'WATCH', d: { posts: [hidden.id, post.id, '1'] } };
  client.raw.sendText(JSON.stringify(watch));
  await client.raw.until(() => sent('WATCHED').length > 0);
  expect(sent('WATCHED')).toMatchObject([{ d: { posts: [post.id] } }]);
  const anything = z.unknown();
  for (const { id } of [hidden, post]) {
    await ada.ok(anything, 'PUT', `/posts/${id}/vote`, { value: 1 });
  }
  await client.raw.until(() => sent('SCORE_UPDATE').length > 0);
  expect(sent('SCORE_UPDATE')).toMatchObject([{ d: { post_id: post.id, score: 1 } }]);
  const found = await ada.ok(postSchema, 'GET', `/posts/${post.id}`);
  expect(found).toMatchObject({ score: 1, my_vote: 1 });

  await ada.ok(anything, 'DELETE', `/posts/${post.id}`);
  await client.raw.until(() => sent('POST_DELETE').length > 0);
  expect(sent('POST_DELETE')).toMatchObject([{ d: { channel_id: open.id, id: post.id } }]);
});

test('[PO21] the address of a post is stored in its normal form, and one that misleads is refused', async () => {
  await using instance = await startTestInstance({ toml: 'registration = "open"' });
  const ada = await RestPerson.register(instance, 'ada');
  const garden = await ada.garden('garden');
  const given = { kind: 'posts', name: 'news' };
  const channel = await ada.ok(channelSchema, 'POST', `/communities/${garden.id}/channels`, given);
  const posts = `/channels/${channel.id}/posts`;
  const misleading = 'https://bank@evil.example/';
  const refused = [422, 'url'] as const;
  expect(await ada.refusal('POST', posts, { title: 'Oak', url: misleading })).toEqual(refused);

  const input = { title: 'Oak', url: ' HTTPS://A.example:443/a/../b ' };
  const post = await ada.ok(postSchema, 'POST', posts, input);
  const read = () => ada.ok(postSchema, 'GET', `/posts/${post.id}`);
  expect([post.url, (await read()).url]).toEqual(Array(2).fill('https://a.example/b'));
  const change = { url: 'http://Müller.example' };
  const changed = await ada.ok(postSchema, 'PATCH', `/posts/${post.id}`, change);
  const normal = 'http://xn--mller-kva.example/';
  expect([changed.url, (await read()).url]).toEqual(Array(2).fill(normal));
  expect(await ada.refusal('PATCH', `/posts/${post.id}`, { url: misleading })).toEqual(refused);
  expect((await read()).url).toBe(normal);
});
