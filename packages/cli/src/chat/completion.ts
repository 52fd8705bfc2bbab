import { foldText } from '@hearth/protocol';
import { COMMANDS, LOBBY } from './chat-commands.ts';

const COMMAND = /^\/\S*$/;
const PLACE = /^\/join\s+(.*)$/;
const NAME = /(?:^|\s)(@\S[^@]*|@)$/;

/** The most words that are listed. */
const MOST_LISTED = 20;

/**
 * Returns what Tab makes of the text before the cursor: the possible words, and the text that they replace. A command
 * is completed at the beginning of a line, a place after `/join`, and a name after `@`. Undefined anywhere else.
 */
export function completionsOf(
  text: string,
  names: Iterable<string>,
  places: readonly string[] = [],
): readonly [words: string[], replaced: string] | undefined {
  if (COMMAND.test(text)) {
    const words = COMMANDS.filter((command) => command.startsWith(text));
    return [words.map((word) => `${word} `), text];
  }
  const place = PLACE.exec(text)?.[1];
  if (place !== undefined) {
    const words = [LOBBY, ...places].filter((word) => foldText(word).startsWith(foldText(place)));
    return [words.map((word) => `${word} `), place];
  }
  const typed = NAME.exec(text)?.[1];
  if (typed === undefined) return undefined;
  const all = Array.from(names, (name) => `@${name} `);
  const words = all.filter((word) => foldText(word).startsWith(foldText(typed)));
  return words.length === 0 ? undefined : [words, typed];
}

/** The effect of one press of Tab. */
export interface Completion {
  /** The text that replaces the text before the cursor; undefined if Tab is a tab there. */
  readonly text: string | undefined;
  /** The text to show above the line; empty if there is nothing to show. */
  readonly listed: string;
}

/** A choice of words that Tab goes through. */
interface Choice {
  /** The text before the cursor, as the last Tab left it. */
  readonly text: string;
  readonly head: string;
  readonly words: readonly string[];
  /** The index of the next word. */
  readonly next: number;
}

/** Completes like a shell: the first Tab as far as that is certain, each further Tab with the next possible word. */
export class Completer {
  #choice: Choice | undefined;

  /** Returns what Tab does after `text`, which ends at the cursor. */
  complete(text: string, names: Iterable<string>, places: readonly string[] = []): Completion {
    if (this.#choice?.text === text) return this.#goOn(this.#choice);
    this.#choice = undefined;
    const [words, replaced] = completionsOf(text, names, places) ?? [];
    if (words === undefined || replaced === undefined) return { text: undefined, listed: '' };
    const head = text.slice(0, text.length - replaced.length);
    const [first, ...others] = words;
    if (first === undefined) return { text, listed: '' };
    const common = others.reduce(commonBeginning, first);
    const isLonger = common.length > replaced.length;
    const completed = isLonger ? `${head}${common}` : text;
    if (others.length > 0) this.#choice = { text: completed, head, words, next: 0 };
    return { text: completed, listed: isLonger ? '' : listOf(words) };
  }

  #goOn(choice: Choice): Completion {
    const { head, words, next } = choice;
    const text = `${head}${words[next] ?? ''}`;
    this.#choice = { ...choice, text, next: (next + 1) % words.length };
    return { text, listed: '' };
  }
}

function listOf(words: readonly string[]): string {
  const listed = words.slice(0, MOST_LISTED).map((word) => word.trimEnd());
  const more = words.length - listed.length;
  return [...listed, ...(more > 0 ? [`and ${more} more`] : [])].join('  ');
}

/** The beginning of `one` that `other` has too. Case does not matter. */
function commonBeginning(one: string, other: string): string {
  const others = Array.from(other);
  const characters = Array.from(one);
  const end = characters.findIndex(
    (each, index) => foldText(each) !== foldText(others[index] ?? ''),
  );
  return end === -1 ? one : characters.slice(0, end).join('');
}
