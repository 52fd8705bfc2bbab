import type { Conversation } from '../conversation.ts';
import { trimmedText } from './content.ts';

/** Why the text stays in the box. */
export type SubmitProblem = 'too_long' | 'too_many';

/** The result of sending: the message is on its way, there was nothing to send, or it stays in the box. */
export type Submission = 'sent' | 'nothing' | SubmitProblem;

/** Sends the text with the picked files. If it cannot be sent, everything stays as it is. */
export function submit({ draft, uploads, outbox, charactersLeft }: Conversation): Submission {
  const text = trimmedText(draft.text.peek());
  const hasFiles = uploads.picked.peek().length > 0;
  if (text === '' && !hasFiles) return 'nothing';
  if (charactersLeft.peek() < 0) return 'too_long';
  if (hasFiles) uploads.dispatch(text);
  else if (!outbox.send(text)) return 'too_many';
  draft.text.value = '';
  draft.flush();
  return 'sent';
}
