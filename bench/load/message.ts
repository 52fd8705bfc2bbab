/** A message as people write them. */
export const MESSAGE = {
  author: 'bench',
  content: 'The quick brown fox jumps over the lazy dog, and then it does so once again.',
};

const DIGITS = new TextEncoder().encode('0123456789abcdef');
const RANDOM = new Uint8Array(16);

/** The message as a client posts it. */
export const MESSAGE_BODY = JSON.stringify(MESSAGE);

/** The message with a nonce as long as those of the client library, for {@link renewNonce}. */
export const MESSAGE_BODY_WITH_NONCE = JSON.stringify({ ...MESSAGE, nonce: '0'.repeat(32) });

/** Writes another nonce over the one at the end of a request that posts {@link MESSAGE_BODY_WITH_NONCE}. */
export function renewNonce(request: Uint8Array): void {
  crypto.getRandomValues(RANDOM);
  const begin = request.length - '"}'.length - 2 * RANDOM.length;
  RANDOM.forEach((byte, at) => {
    request[begin + 2 * at] = DIGITS[byte >> 4] ?? 0;
    request[begin + 2 * at + 1] = DIGITS[byte & 15] ?? 0;
  });
}

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
