import type { LobbyMessage } from '@hearth/protocol';
import { messageListSchema } from '@hearth/protocol/schemas';
import { messageRequest } from './talk.ts';

/** Posts a message to the instance at `rest`. */
export async function post(rest: string, content: string, author = 'bob'): Promise<void> {
  const answer = await fetch(messageRequest(rest, content, author));
  if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
}

/** Posts one message after another to the instance at `rest`, until the promise that it is given is settled. */
export async function postUntil(rest: string, end: Promise<unknown>): Promise<void> {
  let isOver = false;
  const stop = () => {
    isOver = true;
  };
  end.then(stop, stop);
  while (!isOver) await post(rest, 'more');
}

/** The newest messages of the instance at `rest`, oldest first. */
export async function history(rest: string): Promise<readonly LobbyMessage[]> {
  const answer = await fetch(`${rest}/messages?limit=100`);
  return messageListSchema.parse(await answer.json()).toReversed();
}

/** The newest messages of the instance at `rest` as `author: content`, oldest first. */
export async function said(rest: string): Promise<readonly string[]> {
  return (await history(rest)).map(({ author, content }) => `${author}: ${content}`);
}
