import { COMMANDS } from './chat-commands.ts';

const COMMAND = /^\/\S*$/;
const NAME = /(?:^|\s)(@\S[^@]*|@)$/;

/**
 * What Tab makes of the text before the cursor: the possible words, and the text that they replace. A command is completed at
 * the beginning of a line, and a name after `@`. Undefined anywhere else.
 */
export function completionsOf(
  text: string,
  names: Iterable<string>,
): readonly [words: string[], replaced: string] | undefined {
  if (COMMAND.test(text)) {
    const words = COMMANDS.filter((command) => command.startsWith(text));
    return [words.map((word) => `${word} `), text];
  }
  const typed = NAME.exec(text)?.[1];
  if (typed === undefined) return undefined;
  const all = Array.from(names, (name) => `@${name} `);
  const words = all.filter((word) => folded(word).startsWith(folded(typed)));
  return words.length === 0 ? undefined : [words, typed];
}

function folded(text: string): string {
  return text.toLowerCase();
}
