import { useEffect } from 'preact/hooks';
import type { Id } from '@hearth/protocol';
import type { MessageStore } from '../messages/message-store.ts';
import { useConversation } from '../use-conversation.ts';

/** Reports whether the reader sees the newest messages. */
export function useLooking(isAtEnd: boolean, hasRows: boolean): void {
  const { messages, readMark } = useConversation();
  useEffect(() => {
    const setLooking = (isLooking: boolean) => {
      messages.setRead(isLooking);
      readMark.setLooking(isLooking && hasRows, isLooking ? newestIdOf(messages) : undefined);
    };
    const report = () => setLooking(isAtEnd && document.visibilityState === 'visible');
    report();
    document.addEventListener('visibilitychange', report);
    return () => {
      document.removeEventListener('visibilitychange', report);
      setLooking(false);
    };
  }, [messages, readMark, isAtEnd, hasRows]);
}

function newestIdOf({ entries }: Pick<MessageStore, 'entries'>): Id | undefined {
  const newest = entries.peek().findLast((entry) => entry.kind === 'message' && entry.id);
  return newest?.kind === 'message' ? newest.id : undefined;
}
