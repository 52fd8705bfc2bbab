/** A message as people write them. */
export const MESSAGE = {
  author: 'bench',
  content: 'The quick brown fox jumps over the lazy dog, and then it does so once again.',
};

/** It as a client posts it. */
export const MESSAGE_BODY = JSON.stringify(MESSAGE);

/** The event that clients are sent when it is posted. */
export const MESSAGE_EVENT = JSON.stringify({ op: 'MESSAGE_CREATE', d: MESSAGE });

/** The event that clients of profile 1 are sent, as far as its length goes: only the figures are others. */
export const PROFILE_EVENT = profileEvent(1_000);

/** An event as long as clients get it on average where every second one is of profile 1. */
export const AVERAGE_EVENT = JSON.stringify({
  op: 'MESSAGE_CREATE',
  d: { ...MESSAGE, content: averageContent() },
});

/** The event that clients of profile 1 are sent at a position, but for its figures. */
export function profileEvent(position: number): string {
  const [id, created_at] = ['2680231098724220450352726016', 1_795_295_619_052];
  return JSON.stringify({ op: 'MESSAGE_CREATE', s: position, d: { id, ...MESSAGE, created_at } });
}

function averageContent(): string {
  const moreBytes = Math.round((PROFILE_EVENT.length - MESSAGE_EVENT.length) / 2);
  return MESSAGE.content.padEnd(MESSAGE.content.length + moreBytes, '.');
}
