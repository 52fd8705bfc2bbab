import type { Attachments } from '../attachments/attachments.ts';
import type { ShownQuote } from '../reply-target.ts';

/** The parts of a message: only the text in the middle is written again. */
export interface EditableParts {
  /** The quote, with what separates it from the text. */
  readonly before: string;
  readonly text: string;
  /** The files. */
  readonly after: string;
}

/** Divides a message for an author who changes it. If its files are between its words, they are part of the text. */
export function editableParts(
  content: string,
  quote: Pick<ShownQuote, 'text'> | undefined,
  attachments: Pick<Attachments, 'split'>,
): EditableParts {
  const own = quote !== undefined && content.endsWith(quote.text) ? quote.text : content;
  const before = content.slice(0, content.length - own.length);
  const { text, ids } = attachments.split(own);
  if (ids.length === 0 || !own.startsWith(text)) return { before, text: own, after: '' };
  return { before, text, after: own.slice(text.length) };
}

/** The whole message with another text; empty if there is neither text nor a file. */
export function joinedParts({ before, after }: EditableParts, text: string): string {
  const own = text === '' ? after.trimStart() : text + after;
  return own === '' ? '' : before + own;
}
