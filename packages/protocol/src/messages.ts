import { z } from 'zod';
import { text } from './text.ts';

/** Shortest and longest `author`, in characters (Resources: Message). */
export const AUTHOR_LENGTH = { min: 2, max: 32 } as const;

/** `message_limit` where the owner sets none (Limits: Configuration defaults). */
export const DEFAULT_MESSAGE_LIMIT = 2048;

/** A character above U+FFFF written with escapes, the longest spelling JSON has. */
const MAX_BYTES_PER_CHARACTER = 12;

/** For keys, spaces and fields that are ignored. */
const SPARE_BYTES = 64 * 1024;

/** Bytes that suffice for a message as JSON, whatever its spelling. */
export function maxMessageBytes(messageLimit: number): number {
  return (messageLimit + AUTHOR_LENGTH.max) * MAX_BYTES_PER_CHARACTER + SPARE_BYTES;
}

/** A message as posted, answered and dispatched; `messageLimit` is the instance's `message_limit` (Resources: Message). */
export const messageSchema = (messageLimit: number) =>
  z.object({ author: text(AUTHOR_LENGTH.min, AUTHOR_LENGTH.max), content: text(1, messageLimit) });

/** Resources: Message. */
export type Message = z.infer<ReturnType<typeof messageSchema>>;
