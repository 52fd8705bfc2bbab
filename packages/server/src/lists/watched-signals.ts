import { postSignal } from '../features/forum/comments/comment-order.ts';
import { typingSignal } from '../features/talk/typing/typing-signal.ts';
import type { WatchedSignal } from '../features/talk/watching/watched-signal.ts';
import type { InstanceContext } from '../instance-context.ts';

/** Signals of processes about what clients watch, by the features that pass them on. */
export const WATCHED_SIGNALS: readonly WatchedSignal<InstanceContext>[] = [
  typingSignal,
  postSignal,
];
