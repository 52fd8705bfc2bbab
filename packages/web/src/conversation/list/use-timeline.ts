import { effect } from '@preact/signals';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { useConversation } from '../use-conversation.ts';
import { Timeline, type TimelineRow } from './timeline.ts';

/** How often rows are made, at most, if no frames are drawn (a hidden page). */
const LONGEST_WAIT_MS = 250;

/** The rows of the conversation and of pending messages; made at most once a frame, however many messages come. */
export function useTimeline(): readonly TimelineRow[] {
  const { messages, outbox } = useConversation();
  const [timeline] = useState(() => new Timeline());
  const read = useCallback(
    () =>
      timeline.rows({
        entries: messages.entries.peek(),
        pending: outbox.pending.peek(),
        older: messages.older.peek(),
      }),
    [messages, outbox, timeline],
  );
  const [rows, setRows] = useState(read);
  useEffect(() => {
    let cancel: (() => void) | undefined;
    const draw = () => {
      cancel?.();
      cancel = undefined;
      setRows(read());
    };
    const stop = effect(() => {
      void [messages.entries.value, outbox.pending.value, messages.older.value];
      cancel ??= soon(draw);
    });
    return () => {
      stop();
      cancel?.();
    };
  }, [messages, outbox, read]);
  return rows;
}

function soon(run: () => void): () => void {
  const frame = requestAnimationFrame(run);
  const timer = setTimeout(run, LONGEST_WAIT_MS);
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}
