import { ValidationError } from '@hearth/sdk';
import type { Delivery, PendingMessage, SettlingMessage } from './pending-message.ts';

/** The phase that a message has reached. */
export type ItemPhase =
  /** It has not been sent. */
  | { readonly phase: 'queued' }
  /** It is being posted. */
  | { readonly phase: 'started' }
  /** The instance accepted it; it has not come back yet. */
  | { readonly phase: 'accepted'; readonly sinceMs: number }
  /** The connection broke while it was being posted; if it was posted, it comes back like every message. */
  | {
      readonly phase: 'unsure';
      readonly error: unknown;
      readonly sinceMs: number;
      /** The number of times that messages had started to come live again. */
      readonly returns: number;
      /** The number of times that events may have been lost. */
      readonly losses: number;
    }
  /** `error` is undefined if it was being posted when the page was left. */
  | { readonly phase: 'failed'; readonly error: unknown; readonly mayHaveBeenSent: boolean };

/** A message on its way. */
export interface OutboxItem {
  readonly key: string;
  readonly author: string;
  readonly content: string;
  readonly createdAtMs: number;
  readonly at: ItemPhase;
}

/** The reason that holds messages back; undefined if there is none. */
export interface Hold {
  /** Our Unix clock; undefined: until the connection is back. */
  readonly untilMs: number | undefined;
}

const CLOCK_SKEW_MS = 120_000;
const LONGEST_WAY_MS = 600_000;

/** `item` as it is shown. */
export function pendingMessage(item: OutboxItem, hold: Hold | undefined): PendingMessage {
  const { key, author, content, createdAtMs } = item;
  return { key, author, content, createdAtMs, delivery: deliveryOf(item.at, hold) };
}

function deliveryOf(at: ItemPhase, hold: Hold | undefined): Delivery {
  switch (at.phase) {
    case 'queued':
      return hold === undefined
        ? { state: 'sending' }
        : { state: 'waiting', untilMs: hold.untilMs };
    case 'unsure':
      return { state: 'waiting', untilMs: undefined };
    case 'started':
    case 'accepted':
      return { state: 'sending' };
    case 'failed': {
      const { error, mayHaveBeenSent } = at;
      return { state: 'failed', error, mayHaveBeenSent, isRetryable: isRetryable(error) };
    }
  }
}

/** Returns whether the same content may be accepted another time; the name can be changed in between. */
function isRetryable(error: unknown): boolean {
  return !(error instanceof ValidationError) || error.fieldName === 'author';
}

/**
 * Returns whether `message` is `item` come back without its nonce, as the history and servers of the documented
 * interface return it: by the same author, with the same content, at about the same time.
 */
export function hasComeBackAs(item: OutboxItem, message: SettlingMessage): boolean {
  const { at } = item;
  if (at.phase === 'queued' || (at.phase === 'failed' && !at.mayHaveBeenSent)) return false;
  const lateMs = message.createdAtMs - item.createdAtMs;
  return (
    message.nonce === undefined &&
    message.author === item.author &&
    message.content === item.content &&
    lateMs >= -CLOCK_SKEW_MS &&
    lateMs <= LONGEST_WAY_MS
  );
}
