import type { AppState } from '../../app/app-state.ts';
import { contentLength, trimmedText } from './content.ts';

/** Why the text stays in the box. */
export type SubmitProblem = 'too_long' | 'too_many';

/** The result of sending: the message is on its way, there was nothing to send, or it stays in the box. */
export type Submission = 'sent' | 'nothing' | SubmitProblem;

/** How many characters are left; a negative number is how many are too many. */
export function charactersLeft(app: AppState): number {
  const { client, draft, uploads, info } = app;
  const urlOf = (id: string) => client.files.url(id);
  return info.message_limit - contentLength(draft.text.value, uploads.picked.value.length, urlOf);
}

/** Sends the text with the picked files. If it cannot be sent, everything stays as it is. */
export function submit(app: AppState): Submission {
  const { draft, uploads, outbox } = app;
  const text = trimmedText(draft.text.peek());
  const hasFiles = uploads.picked.peek().length > 0;
  if (text === '' && !hasFiles) return 'nothing';
  if (charactersLeft(app) < 0) return 'too_long';
  if (hasFiles) uploads.dispatch(text);
  else if (!outbox.send(text)) return 'too_many';
  draft.text.value = '';
  draft.flush();
  return 'sent';
}
