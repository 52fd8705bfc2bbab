import { costOfFinding } from '@hearth/testing/instances/found-pages';
import type { Id } from '@hearth/protocol';
import { join } from 'node:path';
import type { Benchmark } from '../benchmark.ts';
import { HttpLoad } from '../load/http-load.ts';
import { median } from '../statistics.ts';
import { hearthWith } from '../subjects/hearth.ts';
import type { RunningSubject } from '../subjects/subject.ts';
import { bunYardstick } from '../subjects/yardstick.ts';
import { ask, register } from './asked.ts';
import { cpuOf, takeLanes, type Lane } from './lanes.ts';

const COMMENTS = 10_000;
const FEW_COMMENTS = 200;
/** The best are the oldest, which have the most replies. */
const VOTED = 200;
const CONNECTIONS = 4;
const AT_ONCE = 32;
const FINDINGS = 5_000;
const FEW_FINDINGS = 50;
const GOAL = { most: 3 };

/** Pages of a large tree of comments, compared with as many rows by their primary key. */
export const COMMENT_TREE: Benchmark = {
  name: 'comment-tree',
  about: 'pages of a tree of 10,000 comments, against the rows by their primary key',
  async *run(settings) {
    const comments = settings.isShort ? FEW_COMMENTS : COMMENTS;
    await using resources = new AsyncDisposableStack();
    let folder = '';
    const ours = hearthWith(async (own) => {
      folder = own;
    });
    const hearth = resources.use(await ours.start());
    const tree = await writeTree(hearth.ports.rest, comments);
    const file = join(folder, 'data/hearth.sqlite');
    const bare = bunYardstick('the rows by their primary key', 'comment-page.ts', file);
    const yardstick = resources.use(await bare.start());
    const laneOf = (subject: string, running: RunningSubject, path: string): Lane => {
      const { headers } = tree;
      const request = { method: 'GET', port: running.ports.rest, path, headers } as const;
      const load = resources.use(new HttpLoad(request, CONNECTIONS));
      return { subject, running, load, samples: [] };
    };
    const pageOf = (query: string) => `${tree.path}?limit=50${query}`;
    const first = await fetch(`http://127.0.0.1:${hearth.ports.rest}${pageOf('&sort=top')}`, tree);
    const next = /<([^>]+)>/.exec(first.headers.get('link') ?? '')?.[1];
    if (next === undefined) throw new Error('there is no second page');
    const rows = laneOf(bare.name, yardstick, '/');
    const best = laneOf('hearth: the best', hearth, pageOf('&sort=top'));
    const work = `50 of ${comments.toLocaleString('en')} comments`;
    yield* takeLanes(
      [
        rows,
        best,
        laneOf('hearth: the newest', hearth, pageOf('&sort=new')),
        laneOf('hearth: a later page', hearth, `${tree.path}${next}`),
        laneOf('hearth: replies to one', hearth, pageOf(`&under=${tree.root}`)),
      ],
      { ...settings, work, goal: GOAL },
    );
    const times = settings.isShort ? FEW_FINDINGS : FINDINGS;
    const finding = await costOfFinding(join(folder, 'data'), tree.postId, times);
    const cpuMicroseconds = median(best.samples.map(cpuOf)) + finding;
    yield {
      work,
      subject: 'hearth: the best, if nothing is remembered',
      value: finding,
      unit: 'µs to find them',
      cpuMicroseconds,
      ratio: cpuMicroseconds / median(rows.samples.map(cpuOf)),
    };
  },
};

interface Tree {
  readonly postId: Id;
  readonly path: string;
  /** The comment with the most below it. */
  readonly root: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Writes a tree by one person: a fifth of the comments are on the post, and the others reply to earlier ones. Another one votes for some. */
async function writeTree(port: number, comments: number): Promise<Tree> {
  const authorization = await register(port, 'author');
  const given = { name: 'Bench', slug: 'bench', visibility: 'public' };
  const { id } = await ask(port, { path: '/communities', body: given, authorization });
  const kind = { kind: 'posts', name: 'posts' };
  const made = await ask(port, { path: `/communities/${id}/channels`, body: kind, authorization });
  const title = { title: 'Much said' };
  const at = { path: `/channels/${made.id}/posts`, body: title, authorization };
  const { id: post = '' } = await ask(port, at);
  const path = `/posts/${post}/comments`;
  const content = 'The quick brown fox jumps over the lazy dog, and then once again.';
  const written: string[] = [];
  while (written.length < comments) {
    const group = Array.from(
      { length: Math.min(AT_ONCE, comments - written.length) },
      (_, more) => {
        const number = written.length + more;
        // The earlier half is replied to: a few comments have many replies, and most have none.
        const place = ((number * 7919) % 10_007) / 10_007;
        const parent = number % 5 === 0 ? undefined : written[Math.floor((place * number) / 2)];
        const body = { content, ...(parent !== undefined && { parent_id: parent }) };
        return ask(port, { path, body, authorization });
      },
    );
    for (const { id: comment = '' } of await Promise.all(group)) written.push(comment);
  }
  const voter = await register(port, 'voter');
  for (const id of written.slice(0, VOTED)) {
    const vote = { method: 'PUT', path: `/comments/${id}/vote`, body: { value: 1 } };
    await ask(port, { ...vote, authorization: voter });
  }
  const [root = ''] = written;
  // Guarantee: the answer has the id of the post.
  return { postId: post as Id, path, root, headers: { authorization } };
}
