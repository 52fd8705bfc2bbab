import { parentPort, workerData } from 'node:worker_threads';
import { AskingSocket, isAcknowledged, requireKnown, type Outcome } from './asking-socket.ts';
import type { BystanderPosts, BystanderTask } from './bystander.ts';
import { MESSAGE } from './message.ts';

// Posts at a fixed pace from "begin" until "end", and reports what the posts took when the last one is answered. A post
// does not wait for those before, because people do not either.

const PERIOD_MS = 20;

/** The longest time that a post may take. */
const MOST_MS = 10_000;

const { ports, path, authorization } = workerData as BystanderTask;
const request = {
  method: 'POST',
  path,
  headers: { authorization },
  body: JSON.stringify({ content: MESSAGE.content }),
} as const;

const idle = ports.map((): AskingSocket[] => []);
let posted = 0;
let posts: Promise<Outcome>[] = [];
let pace: ReturnType<typeof setInterval> | undefined;

parentPort?.on('message', (message: 'begin' | 'end') => {
  clearInterval(pace);
  if (message === 'begin') {
    pace = setInterval(post, PERIOD_MS);
    return post();
  }
  const all = posts;
  posts = [];
  void report(all);
});

function post(): void {
  const at = posted % ports.length;
  posted += 1;
  posts.push(postTo(at));
}

async function postTo(at: number): Promise<Outcome> {
  const socket = idle[at]?.pop() ?? new AskingSocket(ports[at] ?? 0);
  const giveUp = setTimeout(() => socket[Symbol.dispose](), MOST_MS);
  await socket.connect();
  const outcome = await socket.insist(request, performance.now() + MOST_MS);
  clearTimeout(giveUp);
  idle[at]?.push(socket);
  return outcome;
}

async function report(all: readonly Promise<Outcome>[]): Promise<void> {
  const outcomes = await Promise.all(all);
  for (const outcome of outcomes) requireKnown(outcome);
  const report: BystanderPosts = {
    milliseconds: outcomes.map(({ milliseconds }) => milliseconds),
    failed: outcomes.filter((outcome) => !isAcknowledged(outcome)).length,
  };
  parentPort?.postMessage(report);
}
