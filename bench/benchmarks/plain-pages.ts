import type { Benchmark } from '../benchmark.ts';
import { HttpLoad } from '../load/http-load.ts';
import { HEARTH } from '../subjects/hearth.ts';
import { ask, register } from './asked.ts';
import { takeLanes, type Lane } from './lanes.ts';

const POSTS = 50;
const COMMENTS = 100;
const CONNECTIONS = 4;
const GOAL = { most: 3 };

const CONTENT = `Some *words*, **others**, and a [link](https://example.org/).

- one
- two

`.repeat(12);

/** A feed and the page of a post, compared with the same posts as JSON. */
export const PLAIN_PAGES: Benchmark = {
  name: 'plain-pages',
  about:
    'a feed of 50 posts, and a post with 100 comments for readers without scripts, against the list of posts as JSON',
  async *run(settings) {
    await using resources = new AsyncDisposableStack();
    const hearth = resources.use(await HEARTH.start());
    const { rest, web = rest } = hearth.ports;
    const { channel, post } = await writePosts(rest);
    const laneOf = (subject: string, port: number, path: string): Lane => {
      const load = resources.use(new HttpLoad({ method: 'GET', port, path }, CONNECTIONS));
      return { subject, running: hearth, load, samples: [] };
    };
    yield* takeLanes(
      [
        laneOf('the list as JSON', rest, `/channels/${channel}/posts?sort=new&limit=${POSTS}`),
        laneOf('hearth: the feed', web, '/c/bench.rss'),
        laneOf('hearth: a post', web, `/c/bench/p/${post}/a-post`),
      ],
      { ...settings, work: `${POSTS} posts, and one with ${COMMENTS} comments`, goal: GOAL },
    );
  },
};

/** Writes posts, and comments on the last one. */
async function writePosts(port: number) {
  const authorization = await register(port, 'author');
  const send = async (path: string, body: object) => {
    const { id = '' } = await ask(port, { path, body, authorization });
    return id;
  };
  const given = { name: 'Bench', slug: 'bench', visibility: 'public' };
  const community = await send('/communities', given);
  const channel = await send(`/communities/${community}/channels`, {
    kind: 'posts',
    name: 'posts',
  });
  let post = '';
  for (let count = 0; count < POSTS; count += 1) {
    post = await send(`/channels/${channel}/posts`, { title: 'A post', content: CONTENT });
  }
  for (let count = 0; count < COMMENTS; count += 1) {
    await send(`/posts/${post}/comments`, { content: CONTENT.slice(0, 600) });
  }
  return { channel, post };
}
