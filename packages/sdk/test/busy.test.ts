import { expect, test } from 'bun:test';
import { NotFoundError, RateLimitedError } from '../src/index.ts';
import { idOf } from './support/communities.ts';
import { postsHost, POST } from './support/posts.ts';

const BUSY = { status: 429, message: 'Too much', data: { retry_after: 1_000, code: 'busy' } };

/** Headers of a limit that has room. */
const HEADERS = {
  'X-RateLimit-Reset': '5000',
  'X-RateLimit-Max': '100',
  'X-RateLimit-Last-Reset': '0',
  'X-RateLimit-Request-Count': '1',
};

const [COMMUNITY, ID, USER] = [idOf(100), idOf(110), idOf(2)];

type Host = ReturnType<typeof postsHost>;

const CALLS: readonly (readonly [line: string, call: (host: Host) => Promise<unknown>])[] = [
  ['POST /channels/110/messages', ({ part }) => part.channel(ID).send('x')],
  ['PATCH /channels/110/messages/110', ({ part }) => part.channel(ID).change(ID, 'x')],
  ['DELETE /channels/110/messages/110', ({ part }) => part.channel(ID).remove(ID)],
  ['PUT /channels/110/pins/110', ({ part }) => part.channel(ID).pin(ID)],
  ['PUT /channels/110/messages/110/reactions/x', ({ part }) => part.channel(ID).react(ID, 'x')],
  ['PUT /channels/110/read', ({ part }) => part.channel(ID).markUnread(ID)],
  ['POST /channels/110/posts', ({ posts }) => posts.create(ID, { title: 'x' })],
  ['POST /posts/500/comments', ({ posts }) => posts.comments.create(POST, { content: 'x' })],
  ['PUT /posts/500/vote', ({ posts }) => posts.vote(POST, 1)],
  ['PUT /comments/110/vote', ({ posts }) => posts.comments.vote(ID, -1)],
  ['PUT /posts/500/poll', ({ posts }) => posts.votePoll(POST, [ID])],
  ['PUT /posts/500/save', ({ posts }) => posts.save(POST)],
  ['PUT /posts/500/read', ({ posts }) => posts.markRead(POST)],
  ['PUT /communities/100/members/me', ({ part }) => part.communities.join(COMMUNITY)],
  ['DELETE /communities/100/members/me', ({ part }) => part.communities.leave(COMMUNITY)],
  [
    'PUT /communities/100/bans/2',
    ({ part }) => part.communities.bans.set({ community_id: COMMUNITY, user_id: USER }),
  ],
];

test.each(CALLS)('[SK46] %s is sent again, unchanged, if its place is busy', async (line, call) => {
  const host = postsHost();
  const bodies: string[] = [];
  host.answers.set(line, (body) => {
    bodies.push(body);
    if (bodies.length === 1) return Response.json(BUSY, { status: 429, headers: HEADERS });
    return Response.json({ status: 404, message: 'no' }, { status: 404 });
  });
  const repeating = new Set<number>();
  host.on('limit', ({ state }) => repeating.add(state.repeating));
  const outcome = call(host).catch((error: unknown) => error);
  await host.clock.advance(900);
  expect(host.asked).toEqual([line]);
  await host.clock.advance(100);
  expect(host.asked).toEqual([line, line]);
  expect(bodies[1]).toBe(bodies[0] ?? 'it was not asked');
  expect([...repeating]).toEqual([0, 1]);
  // Leaving does nothing for those who are no members.
  const error = await outcome;
  expect(error === undefined || error instanceof NotFoundError).toBe(true);
  host.end();
});

test('[SK46] a message fails at once if the program waits itself', async () => {
  const host = postsHost();
  host.answers.set('POST', () => Response.json(BUSY, { status: 429, headers: HEADERS }));
  const sent = host.part.channel(ID).send('x', { longestBusyWaitMs: 0 });
  const error = await sent.catch((reason: unknown) => reason);
  if (!(error instanceof RateLimitedError)) throw error;
  expect(error).toMatchObject({ status: 429, code: 'busy', retryAfterMs: 1_000 });
  expect(host.asked).toHaveLength(1);
  host.end();
});
