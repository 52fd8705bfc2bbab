import { z } from 'zod';
import { AUTHOR_LENGTH } from './lengths.ts';
import { text } from './text.ts';

/** A message as posted, answered and dispatched; `messageLimit` is the instance's `message_limit` (Resources: Message). */
export const messageSchema = (messageLimit: number) =>
  z.object({ author: text(AUTHOR_LENGTH.min, AUTHOR_LENGTH.max), content: text(1, messageLimit) });

/** Resources: Message. */
export type Message = z.infer<ReturnType<typeof messageSchema>>;
