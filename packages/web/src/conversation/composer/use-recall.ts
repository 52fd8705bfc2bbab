import { insertText } from '../../ui/insert-text.ts';
import { useAttachments } from '../attachments/use-attachments.ts';
import { useMayChange } from '../changes/may-change.ts';
import { useEdit } from '../changes/use-edit.ts';
import { useConversation } from '../use-conversation.ts';
import { lastOwnMessage, lastOwnText } from './last-own-text.ts';

/**
 * Returns what Arrow up does in an empty message box: it begins to change the last own message or, if that cannot be
 * changed, brings back its text. Returns whether there was one.
 */
export function useRecall(): (box: HTMLTextAreaElement) => boolean {
  const conversation = useConversation();
  const attachments = useAttachments();
  const mayChange = useMayChange();
  const edit = useEdit();
  return (box) => {
    const own = lastOwnMessage(conversation);
    if (own !== undefined && mayChange(own).edit) {
      edit(own);
      return true;
    }
    const last = lastOwnText(conversation, (content) => attachments.split(content).text);
    if (last === undefined) return false;
    insertText(box, { start: 0, end: 0 }, last);
    return true;
  };
}
