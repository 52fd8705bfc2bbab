import { effect } from '@preact/signals';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { useConversation } from '../use-conversation.ts';
import { useShownPart } from '../use-shown-part.ts';
import { withNewLine } from './with-new-line.ts';
import { Timeline, type TimelineRow } from './timeline.ts';

/** The longest time between two times that rows are made if no frames are drawn (a hidden page). */
const LONGEST_WAIT_MS = 250;

/** The rows of a list. */
export interface Timelined {
  readonly rows: readonly TimelineRow[];
  /** True if the last one is the newest message. */
  readonly isLive: boolean;
}

/** The rows of the shown messages and of pending ones; made at most once a frame, however many messages come. */
export function useTimeline(): Timelined {
  const { kept, outbox, readMark } = useConversation();
  const { messages } = useShownPart();
  const [timeline] = useState(() => new Timeline());
  const read = useCallback((): Timelined => {
    const { isLive } = messages;
    const older = messages.older.peek();
    const pending = isLive ? outbox.pending.peek() : [];
    const entries = (isLive ? kept : messages).entries.peek();
    const rows = timeline.rows({ entries, pending, older });
    const { afterId } = readMark.leftOff.peek() ?? {};
    return { rows: withNewLine(rows, afterId, older === 'none'), isLive };
  }, [messages, kept, outbox, readMark, timeline]);
  const [made, setMade] = useState(read);
  useEffect(() => {
    let cancel: (() => void) | undefined;
    const draw = () => {
      cancel?.();
      cancel = undefined;
      setMade(read());
    };
    const stop = effect(() => {
      const { older } = messages;
      const { entries } = messages.isLive ? kept : messages;
      void [entries.value, outbox.pending.value, older.value, readMark.leftOff.value];
      cancel ??= soon(draw);
    });
    return () => {
      stop();
      cancel?.();
    };
  }, [messages, kept, outbox, readMark, read]);
  return made;
}

function soon(run: () => void): () => void {
  const frame = requestAnimationFrame(run);
  const timer = setTimeout(run, LONGEST_WAIT_MS);
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}
