import { mentionPattern, mentionsName, type Quote } from '@hearth/sdk';
import type { ShownMessage } from './list/timeline.ts';

/** A part of a text: as it is written, or what it names. */
export type TextPart = string | NamedPart;

/** Somebody or something that a text names. */
export interface NamedPart {
  readonly text: string;
  readonly href?: string | undefined;
  readonly title?: string | undefined;
  readonly isForReader: boolean;
}

/** The people and things that a message names. */
export interface Naming {
  /** True if the message concerns the reader. */
  readonly isForReader: boolean;
  readonly split: (text: string) => readonly TextPart[];
  /** Returns what the address of a link names; undefined if that is nothing of the instance. */
  readonly linkTo?: ((href: string) => NamedPart | undefined) | undefined;
}

/** Returns what a message names if only its text says so: the reader by `@name`. */
export function namingByText(
  { content }: Pick<ShownMessage, 'content'>,
  quote: Quote | undefined,
  reader: string,
): Naming {
  return {
    isForReader: concernsReader(content, quote, reader),
    split: (text) =>
      splitMentions(text, reader).map((part, index) =>
        index % 2 === 0 ? part : { text: part, isForReader: true },
      ),
  };
}

/**
 * Returns whether a message concerns the reader: it mentions them, or replies to them. `quote` is the one that it
 * begins with; mentions in it do not count.
 */
export function concernsReader(content: string, quote: Quote | undefined, reader: string): boolean {
  return quote?.author === reader || mentionsName(quote?.text ?? content, reader);
}

/** A text in parts; those at odd positions mention the person by `@name`. */
export function splitMentions(text: string, name: string): readonly string[] {
  if (name === '' || !text.includes('@')) return [text];
  const parts: string[] = [];
  let end = 0;
  for (const { index, 1: before = '', 2: mention = '' } of text.matchAll(mentionPattern(name))) {
    const start = index + before.length;
    parts.push(text.slice(end, start), mention);
    end = start + mention.length;
  }
  return [...parts, text.slice(end)];
}
