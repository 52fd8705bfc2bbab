import { postSignal } from './features/comments/comment-order.ts';
import { typingSignal } from './features/typing/typing-signal.ts';
import type { WatchedSignal } from './features/watching/watched-signal.ts';
import type { InstanceContext } from './instance-context.ts';

/** What processes signal about what clients watch, by the features that pass it on. */
export const WATCHED_SIGNALS: readonly WatchedSignal<InstanceContext>[] = [
  typingSignal,
  postSignal,
];
