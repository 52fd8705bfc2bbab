/** A message as people write them. */
export const MESSAGE = {
  author: 'bench',
  content: 'The quick brown fox jumps over the lazy dog, and then it does so once again.',
};

/** It as a client posts it. */
export const MESSAGE_BODY = JSON.stringify(MESSAGE);

/** The event that clients are sent when it is posted. */
export const MESSAGE_EVENT = JSON.stringify({ op: 'MESSAGE_CREATE', d: MESSAGE });
