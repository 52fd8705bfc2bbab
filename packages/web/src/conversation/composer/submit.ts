import type { Conversation } from '../conversation.ts';
import { withReply } from '../reply-target.ts';
import { trimmedText } from './content.ts';

/** Why the text stays in the box. */
export type SubmitProblem = 'too_long' | 'too_many';

/** The result of sending: the message is on its way, there was nothing to send, or it stays in the box. */
export type Submission = 'sent' | 'nothing' | SubmitProblem;

/** Sends the text with the picked files. If it cannot be sent, everything stays as it is. */
export function submit(conversation: Conversation): Submission {
  const { draft, reply, uploads, outbox, charactersLeft } = conversation;
  const text = trimmedText(draft.text.peek());
  const hasFiles = uploads.picked.peek().length > 0;
  if (text === '' && !hasFiles) return 'nothing';
  if (charactersLeft.peek() < 0) return 'too_long';
  const content = withReply(conversation, text);
  if (hasFiles) uploads.dispatch(content);
  else if (!outbox.send(content)) return 'too_many';
  reply.value = undefined;
  draft.text.value = '';
  draft.flush();
  return 'sent';
}
