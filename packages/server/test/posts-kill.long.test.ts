import {
  channelSchema,
  commentSchema,
  ownCommunitySchema,
  postSchema,
} from '@hearth/protocol/schemas';
import type { Id } from '@hearth/protocol';
import { asOwner } from '@hearth/testing/instances/as-owner';
import { areServersMissing, sharedServers } from '@hearth/testing/servers/shared-servers';
import { expect, test } from 'bun:test';
import { OWNER } from '../src/actor.ts';
import { rebuildCounters } from '../src/features/forum/counters/rebuild-counters.ts';
import { Choices } from './support/chaos/choices.ts';
import { killableFleet } from './support/chaos/fleet.ts';
import { Person } from './support/chaos/person.ts';
import { SEED } from './support/chaos/run-chaos.ts';

const WRITERS = ['amy', 'ben', 'cat', 'dan', 'eve', 'fay'];
const ACTS_EACH = 150;

/** Answers to the requests: who wrote what, and which vote of each person was the last one. */
class Answered {
  readonly posts = new Map<Id, string>();
  readonly comments = new Map<
    Id,
    { readonly post: Id; readonly content: string; readonly by: string }
  >();
  readonly deleted = new Set<Id>();
  readonly votes = new Map<string, number>();
}

interface Stage {
  readonly channel: Id;
  readonly answered: Answered;
}

/** One random act of somebody. A request that is not answered is repeated, with the same nonce. */
async function act(person: Person, choices: Choices, { channel, answered }: Stage): Promise<void> {
  const nonce = crypto.randomUUID();
  const posts = [...answered.posts.keys()];
  const comments = [...answered.comments].filter(([id]) => !answered.deleted.has(id));
  if (posts.length === 0 || choices.onceIn(8)) {
    const { body } = await person.ask('POST', `/channels/${channel}/posts`, {
      title: nonce,
      nonce,
    });
    answered.posts.set(postSchema.parse(body).id, nonce);
    return;
  }
  if (choices.onceIn(3)) {
    const parent = choices.onceIn(2) || comments.length === 0 ? undefined : choices.of(comments);
    const post = parent?.[1].post ?? choices.of(posts);
    const given = { content: nonce, nonce, ...(parent !== undefined && { parent_id: parent[0] }) };
    const { status, body } = await person.ask('POST', `/posts/${post}/comments`, given);
    // What it replies to may have been deleted meanwhile.
    if (status !== 200 && parent !== undefined) return;
    const { id } = commentSchema.parse(body);
    answered.comments.set(id, { post, content: nonce, by: person.name });
    return;
  }
  const [own] = comments.filter(([, { by }]) => by === person.name);
  if (own !== undefined && choices.onceIn(12)) {
    answered.deleted.add(own[0]);
    await person.ask('DELETE', `/comments/${own[0]}`);
    return;
  }
  const value = choices.of([1, 0, -1]);
  const [kind, subject] =
    choices.onceIn(2) || comments.length === 0
      ? (['posts', choices.of(posts)] as const)
      : (['comments', choices.of(comments)[0]] as const);
  const { status } = await person.ask('PUT', `/${kind}/${subject}/vote`, { value });
  if (status === 200) answered.votes.set(`${subject} ${person.id}`, value);
}

test.skipIf(areServersMissing)(
  `[PO2][CT2][VO2] nothing that was answered is lost or there twice when processes are killed (seed ${SEED})`,
  async () => {
    await using servers = await sharedServers();
    const environment = await servers.newInstance();
    await using fleet = await killableFleet(environment, { rest: 3, gateway: 0 });
    const choices = new Choices(SEED);
    const people = WRITERS.map(
      (name) => new Person(name, fleet, new Choices(choices.below(2 ** 32))),
    );
    for (const person of people) await person.register();
    const [amy, ...others] = people as [Person, ...Person[]];
    const given = { name: 'Garden', slug: 'garden', visibility: 'public', join: 'open' };
    const { id } = ownCommunitySchema.parse((await amy.ask('POST', '/communities', given)).body);
    for (const other of others) await other.ask('PUT', `/communities/${id}/members/me`);
    const asked = { kind: 'posts', name: 'harvest' };
    const made = await amy.ask('POST', `/communities/${id}/channels`, asked);
    const { id: channel } = channelSchema.parse(made.body);
    const answered = new Answered();
    let isDone = false;
    const killing = (async () => {
      let kills = 0;
      for (; !isDone; kills += 1) await fleet.kill('rest', choices);
      return kills;
    })();
    await Promise.all(
      people.map(async (person) => {
        const own = new Choices(choices.below(2 ** 32));
        for (let count = 0; count < ACTS_EACH; count += 1) {
          await act(person, own, { channel, answered });
        }
      }),
    ).finally(() => {
      isDone = true;
    });
    expect(await killing).toBeGreaterThan(3);
    await asOwner({ servers: environment }, async (ctx) => {
      const { reader } = ctx.database;
      const posts = await reader.selectFrom('posts').select(['id', 'title as text']).execute();
      const comments = await reader
        .selectFrom('comments')
        .select(['id', 'content as text'])
        .execute();
      const kept = comments.filter((row) => !answered.deleted.has(row.id));
      const written = [
        ...answered.posts,
        ...[...answered.comments].flatMap(([each, { content }]) =>
          answered.deleted.has(each) ? [] : [[each, content] as const],
        ),
      ];
      const textsOf = (rows: Iterable<readonly [Id, string]>) =>
        Array.from(rows, (row) => row.join(' ')).toSorted();
      const stored = [...posts, ...kept].map((row) => [row.id, row.text] as const);
      expect(textsOf(stored)).toEqual(textsOf(written));
      const votes = await reader
        .selectFrom('votes')
        .select(['subject_id', 'user_id', 'value'])
        .execute();
      const found = new Map(
        votes.map((row) => [`${row.subject_id} ${row.user_id}`, Number(row.value)]),
      );
      for (const [place, value] of answered.votes) {
        const [subject = ''] = place.split(' ');
        const isThere = stored.some(([each]) => each === subject);
        if (isThere) expect([place, found.get(place) ?? 0]).toEqual([place, value]);
      }
      const none = { posts: 0, comments: 0, polls: 0, points: 0 };
      expect(await rebuildCounters(ctx, OWNER)).toEqual(none);
    });
  },
  240_000,
);
