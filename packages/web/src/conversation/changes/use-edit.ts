import { useAttachments } from '../attachments/use-attachments.ts';
import type { ShownMessage } from '../list/timeline.ts';
import { quoteIn } from '../reply-target.ts';
import { useConversation } from '../use-conversation.ts';
import { editableParts } from './editable.ts';

/** Begins to change the text of a message. */
export function useEdit(): (message: Pick<ShownMessage, 'id' | 'content'>) => void {
  const conversation = useConversation();
  const attachments = useAttachments();
  return ({ id, content }) => {
    if (id === undefined) return;
    const { text } = editableParts(content, quoteIn(conversation, content), attachments);
    conversation.changes.acting.value = { kind: 'edit', id, text };
  };
}
