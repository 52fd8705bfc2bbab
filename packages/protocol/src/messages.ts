import { z } from 'zod';
import { text } from './text.ts';

/** Shortest and longest `author`, in characters (Resources: Message). */
export const AUTHOR_LENGTH = { min: 2, max: 32 } as const;

/** A message as posted, answered and dispatched; `messageLimit` is the instance's `message_limit` (Resources: Message). */
export const messageSchema = (messageLimit: number) =>
  z.object({ author: text(AUTHOR_LENGTH.min, AUTHOR_LENGTH.max), content: text(1, messageLimit) });

/** Resources: Message. */
export type Message = z.infer<ReturnType<typeof messageSchema>>;
