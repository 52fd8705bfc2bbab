import { authorName } from './author-name.ts';
import { drawnEmoji, type ReceivedMessage } from '@hearth/sdk';
import { inLine } from '../text.ts';
import { harmless, messageLines, type TextStyle } from './message-text.ts';

/** Cyan, green, magenta, yellow, bright blue, red: readable on light and dark backgrounds. */
const AUTHOR_COLOURS = [36, 32, 35, 33, 94, 31];

/** As wide as a time. */
const INDENT = '      ';

/** Formats messages and notices for a terminal. Times are local. */
export class TerminalFormat {
  readonly #style: TextStyle;
  #day = '';

  constructor(style: TextStyle) {
    this.#style = style;
  }

  /** A line with the day of a message, if the message before had another day. */
  dayLine({ created_at: createdAtMs }: ReceivedMessage, receivedAtMs: number): string | undefined {
    const { day } = localTime(createdAtMs ?? receivedAtMs);
    if (day === this.#day) return undefined;
    this.#day = day;
    return this.#styled('2', `── ${day} ──`);
  }

  /** A message, marked if it was edited, with the reactions to it. */
  message(message: ReceivedMessage, receivedAtMs: number): string {
    const mark = message.edited_at === undefined ? '' : this.#styled('2', ' (edited)');
    return this.#message(message, receivedAtMs, mark);
  }

  /** A changed message, marked as edited unless only the reactions to it have changed. */
  edited(message: ReceivedMessage, receivedAtMs: number): string {
    // Other servers do not say when a message was edited.
    const isKnown = message.version !== undefined;
    if (isKnown) return this.message(message, receivedAtMs);
    return this.#message(message, receivedAtMs, this.#styled('2', ' (edited)'));
  }

  /** A notice of a removed message, without its text. */
  removal(message: ReceivedMessage, receivedAtMs: number): string {
    const { time } = localTime(message.created_at ?? receivedAtMs);
    return this.notice(`a message by ${inLine(authorName(message))} (${time}) was removed`);
  }

  /** A notice about the chat itself. */
  notice(text: string): string {
    const lines = text.split('\n').map(harmless);
    return lines.map((line) => this.#styled('2', `* ${line}`)).join('\n');
  }

  #message(message: ReceivedMessage, receivedAtMs: number, mark: string): string {
    const { created_at: createdAtMs = receivedAtMs } = message;
    const { time } = localTime(createdAtMs);
    const [first = '', ...others] = messageLines(message, this.#style);
    const name = inLine(authorName(message));
    const head = `${this.#styled('2', time)} ${this.#styled(authorStyle(name), name)}${mark}: ${first}`;
    const below = [...others, ...this.#reactions(message)];
    return [head, ...below.map((line) => `${INDENT}${line}`)].join('\n');
  }

  #reactions({ reactions = [] }: ReceivedMessage): readonly string[] {
    if (reactions.length === 0) return [];
    const all = reactions.map(({ emoji, count }) => `${drawnEmoji(inLine(emoji))} ${count}`);
    return [this.#styled('2', all.join('  '))];
  }

  #styled(style: string, text: string): string {
    return this.#style.isColoured ? `\u001B[${style}m${text}\u001B[0m` : text;
  }
}

function authorStyle(name: string): string {
  let hash = 0;
  for (const character of name) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003;
  return `1;${AUTHOR_COLOURS[hash % AUTHOR_COLOURS.length]}`;
}

function localTime(unixMs: number): { readonly day: string; readonly time: string } {
  const date = new Date(unixMs);
  const two = (value: number) => String(value).padStart(2, '0');
  return {
    day: `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`,
    time: `${two(date.getHours())}:${two(date.getMinutes())}`,
  };
}
