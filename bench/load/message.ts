/** A message as people write them. */
export const MESSAGE = {
  author: 'bench',
  content: 'The quick brown fox jumps over the lazy dog, and then it does so once again.',
};

/** The message as a client posts it. */
export const MESSAGE_BODY = JSON.stringify(MESSAGE);

/** The event that clients receive when the message is posted. */
export const MESSAGE_EVENT = JSON.stringify({ op: 'MESSAGE_CREATE', d: MESSAGE });

/** An event as long as the one that clients of profile 1 receive: only the digits differ. */
export const PROFILE_EVENT = profileEvent(1_000);

/** An event of the average length that clients receive if every second one uses profile 1. */
export const AVERAGE_EVENT = JSON.stringify({
  op: 'MESSAGE_CREATE',
  d: { ...MESSAGE, content: averageContent() },
});

/** The event that clients of profile 1 receive at a position, apart from its digits. */
export function profileEvent(position: number): string {
  const [id, created_at] = ['2680231098724220450352726016', 1_795_295_619_052];
  return JSON.stringify({ op: 'MESSAGE_CREATE', s: position, d: { id, ...MESSAGE, created_at } });
}

function averageContent(): string {
  const moreBytes = Math.round((PROFILE_EVENT.length - MESSAGE_EVENT.length) / 2);
  return MESSAGE.content.padEnd(MESSAGE.content.length + moreBytes, '.');
}
