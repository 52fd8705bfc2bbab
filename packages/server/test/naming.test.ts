import {
  channelMessageSchema,
  channelSchema,
  commentSchema,
  ownCommunitySchema,
  postSchema,
  roleSchema,
} from '@hearth/protocol/schemas';
import { AccountClient } from '@hearth/testing/clients/account-client';
import { RestPerson } from '@hearth/testing/clients/rest-person';
import { GENEROUS_LIMITS, startTestInstance } from '@hearth/testing/instances/test-instance';
import { until } from '@hearth/testing/until';
import { expect, test } from 'bun:test';
import { z } from 'zod';
import { ID_PATTERN } from '../../protocol/src/id-schema.ts';
import { describeWire } from '../../protocol/src/wire.ts';
import { DECIDED } from './naming-fields.ts';

const anything = z.unknown();
const MODERATOR = ['VIEW_AUDIT_LOG', 'MANAGE_CONTENT', 'MANAGE_INVITES', 'BAN', 'VIEW_VOTES'];
const placesSchema = z.object({
  paths: z.record(
    z.string(),
    z.object({
      get: z
        .object({ parameters: z.array(z.object({ name: z.string(), in: z.string() })).optional() })
        .optional(),
    }),
  ),
});

/** Fields that people write, which may have an id in them, and the id of a category, which everyone has (CH7). */
const UNDECIDED = new Set(['content', 'excerpt', 'category_id']);

/** Routes that answer this reader with an error here: they show things of other kinds, or parts of what others show. */
const NOT_READ = new Set([
  '/messages/{id}/reactions/{emoji}',
  '/users/by-name/{username}',
  '/communities/{community_id}/bans/{user_id}',
  '/invites/{code}',
  '/communities/{community_id}/join-requests/me',
]);

/** The places in an answer at which one of these ids is. */
function placesOf(value: unknown, ids: ReadonlySet<string>, at = ''): readonly string[] {
  if (typeof value === 'string') return ids.has(value) ? [at] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) =>
    UNDECIDED.has(key) ? [] : placesOf(each, ids, `${at}.${key}`),
  );
}

test('[CO29] nothing names what its reader does not see now, in any answer, nor in events that are sent again', async () => {
  await using instance = await startTestInstance({
    toml: `registration = "open"\n${GENEROUS_LIMITS}`,
  });
  const ada = await RestPerson.register(instance, 'ada');
  const bob = await RestPerson.register(instance, 'bob');
  const garden = await ada.garden('garden', { visibility: 'public' });
  const at = `/communities/${garden.id}`;
  await bob.ok(ownCommunitySchema, 'PUT', `${at}/members/me`);
  const channel = (kind: string, name: string, more: object = {}) =>
    ada.ok(channelSchema, 'POST', `${at}/channels`, { kind, name, ...more });
  const role = (name: string, permissions: readonly string[]) =>
    ada.ok(roleSchema, 'POST', `${at}/roles`, { name, permissions, mentionable: true });
  const [general, secret] = [
    await channel('messages', 'hall'),
    await channel('messages', 'secret'),
  ];
  const [news, vault] = [await channel('posts', 'news'), await channel('posts', 'vault')];
  await ada.ok(channelSchema, 'PATCH', `/channels/${news.id}`, { card_channel_ids: [secret.id] });
  await ada.ok(channelSchema, 'PATCH', `/channels/${vault.id}`, { card_channel_ids: [general.id] });
  const attic = await channel('category', 'attic');
  const everyone = { id: garden.id, kind: 'role' };
  const box = await channel('messages', 'box', {
    category_id: attic.id,
    overwrites: [{ ...everyone, allow: ['VIEW'], deny: [] }],
  });
  const [auditor, gone] = [await role('auditor', MODERATOR), await role('gone', [])];
  await ada.ok(anything, 'PATCH', `${at}/members/${bob.id}`, { role_ids: [auditor.id] });
  const say = (place: { readonly id: string }, content: string) =>
    ada.ok(channelMessageSchema, 'POST', `/channels/${place.id}/messages`, { content });
  const write = (place: { readonly id: string }, given: object) =>
    ada.ok(postSchema, 'POST', `/channels/${place.id}/posts`, { title: 'A', ...given });
  const hidden = await write(vault, { title: 'Hidden', content: '@bob' });
  const whispered = await say(secret, '@bob');
  const text = `Look #secret @gone /c/garden/p/${hidden.id} @bob`;
  using client = await AccountClient.enter(instance, { token: bob.token });
  const sent = () => JSON.stringify(client.payloads);
  const [resume = {}] = client.payloads.flatMap((payload) =>
    payload.op === 'READY' ? [payload.d.streams] : [],
  );

  const message = await say(general, text);
  expect(message).toMatchObject({
    mention_channels: [secret.id],
    mention_roles: [gone.id],
    mention_posts: [{ id: hidden.id }],
  });
  await ada.ok(anything, 'PUT', `/channels/${general.id}/pins/${message.id}`);
  const from = { from_message: { channel_id: secret.id, id: whispered.id } };
  const post = await write(news, { content: text, ...from });
  expect(post).toMatchObject({ mention_posts: [{ id: hidden.id }], ...from });
  const again = { channel_id: news.id };
  const repeated = await ada.ok(postSchema, 'POST', `/posts/${hidden.id}/crosspost`, again);
  expect(repeated.crosspost_of).toBe(hidden.id);
  const commenting = { content: text };
  const comment = await ada.ok(commentSchema, 'POST', `/posts/${post.id}/comments`, commenting);
  await client.raw.until(() => sent().includes(repeated.id));

  for (const { id } of [secret, vault, attic]) {
    const deny = { kind: 'role', allow: [], deny: ['VIEW'] };
    await ada.ok(anything, 'PUT', `/channels/${id}/overwrites/${garden.id}`, deny);
  }
  await ada.ok(anything, 'DELETE', `${at}/roles/${gone.id}`);
  await client.raw.until(() => sent().includes('ROLE_DELETE'));

  const hiddenIds = new Set([secret, vault, attic, hidden, whispered].map(({ id }) => id));
  const secrets = new Set([...hiddenIds, gone.id]);
  const given: Readonly<Record<string, string>> = {
    community_id: garden.id,
    channel_id: general.id,
    post_id: post.id,
    user_id: ada.id,
    slug: 'garden',
    emoji: '%F0%9F%8C%B1',
    message_id: message.id,
    comment_id: comment.id,
    role_id: auditor.id,
  };
  const idsFor = (path: string): readonly string[] => {
    if (path.startsWith('/communities/')) return [garden.id];
    if (path.startsWith('/comments/')) return [comment.id];
    if (path.startsWith('/users/'))
      return path.startsWith('/users/me/communities') ? [garden.id] : [ada.id];
    if (path.startsWith('/posts/')) return [post.id, repeated.id];
    if (!path.startsWith('/channels/') || path.includes('channel_id')) return [message.id];
    return [general.id, news.id, box.id];
  };
  const { paths } = placesSchema.parse(
    await (await fetch(`${instance.addresses.rest}/openapi.json`)).json(),
  );
  const seen: string[] = [];
  const found: string[] = [];
  for (const [path, { get }] of Object.entries(paths)) {
    if (get === undefined) continue;
    for (const id of path.includes('{id}') ? idsFor(path) : ['']) {
      for (const place of path.includes('{channel_id}') ? [general.id, news.id] : ['']) {
        const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
          if (name === 'id') return id;
          return name === 'channel_id' ? place : (given[name] ?? 'none');
        });
        const isSearch = path.startsWith('/search');
        const answer = await bob.ask('GET', isSearch ? `${filled}?q=look` : filled);
        if (!answer.ok) continue;
        seen.push(path);
        // What was done to a role that is gone is no secret.
        const of = path.endsWith('/audit-log') ? hiddenIds : secrets;
        const places = placesOf(await answer.json(), of);
        found.push(...places.map((each) => `${path} ${each}`));
      }
    }
  }
  for (const kind of ['messages', 'posts', 'comments', 'all']) {
    const search = async () => {
      const query = `/search?q=look&kind=${kind}&community=${garden.id}`;
      return await bob.ok(z.array(anything), 'GET', query);
    };
    // The index is written in the background.
    await until(async () => (await search()).length > 0);
    found.push(...placesOf(await search(), secrets, kind));
  }
  const counts = await bob.ok(anything, 'GET', `/search/facets?q=look&community=${garden.id}`);
  expect(placesOf(counts, new Set([general.id]))).not.toEqual([]);
  found.push(...placesOf(counts, secrets, 'facets'));
  expect(found).toEqual([]);
  const reading = Object.keys(paths).filter((path) => paths[path]?.get !== undefined);
  expect(new Set(reading).difference(new Set(seen))).toEqual(NOT_READ);

  using later = await AccountClient.enter(instance, { token: bob.token, resume });
  const named = later.payloads
    .filter(({ op }) => op !== 'CHANNEL_DELETE' && op !== 'ROLE_DELETE')
    .flatMap((payload) => placesOf(payload, secrets, payload.op));
  expect(named).toEqual([]);
});

/** The part of a JSON Schema that is read here. */
interface Shape {
  readonly type?: unknown;
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
  readonly additionalProperties?: Shape | boolean;
  readonly anyOf?: readonly Shape[];
  readonly oneOf?: readonly Shape[];
}

/** The fields of a shape that hold an id, with the name of what they are in if they are called `id`. */
function* fieldsWithId(shape: Shape, at: readonly string[] = []): Generator<string> {
  const [parent, name = ''] = at.slice(-2).length === 2 ? at.slice(-2) : ['d', ...at];
  const isId = shape.pattern === ID_PATTERN.source || (/(?:^|_)ids?$/.test(name) && !shape.items);
  if (shape.type === 'string' && isId && name !== '') {
    yield name === 'id' && parent !== 'd' ? `${parent}.id` : name;
  }
  for (const [key, each] of Object.entries(shape.properties ?? {})) {
    yield* fieldsWithId(each, [...at, key]);
  }
  const rest = [...(shape.anyOf ?? []), ...(shape.oneOf ?? [])];
  if (shape.items !== undefined) rest.push(shape.items);
  if (typeof shape.additionalProperties === 'object') rest.push(shape.additionalProperties);
  for (const each of rest) yield* fieldsWithId(each, at);
}

test('[CO29] every field that holds an id says how it is decided who is shown it', () => {
  const { shapes } = describeWire();
  // Guarantee: they are JSON Schemas.
  const fields = Object.values(shapes).flatMap((shape) => [...fieldsWithId(shape as Shape)]);
  const decided = Object.values(DECIDED).flatMap((each: readonly string[]) => [...each]);
  expect([...new Set(fields)].toSorted()).toEqual(decided.toSorted());
});
