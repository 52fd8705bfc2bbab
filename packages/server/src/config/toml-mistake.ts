import type { TomlError } from 'smol-toml';

/** A mistake in a TOML document, in words, and its place. Line and column begin at 1. */
export interface TomlMistake {
  readonly line: number;
  readonly column: number;
  readonly problem: string;
}

/** Describes `error`, which the parser threw for `text`. A quote that is not closed is reported as such. */
export function tomlMistake(text: string, error: TomlError): TomlMistake {
  const [message = ''] = error.message.replace('Invalid TOML document: ', '').split('\n');
  const { line, column } = error;
  const lineText = text.split(/\r?\n/)[line - 1] ?? '';
  if (message === 'unfinished string') {
    const [quote = ''] = /^("""|'''|.)/.exec(lineText.slice(column - 1)) ?? [];
    return { line, column, problem: unclosed(quote) };
  }
  const index = isInString(message, column > lineText.length) ? -1 : unclosedQuote(lineText);
  if (index === -1) return { line, column, problem: message };
  return { line, column: index + 1, problem: unclosed(lineText.charAt(index)) };
}

/**
 * Returns whether the error is about a character in a string. A string may have several lines, so its quotes do not
 * count.
 */
function isInString(message: string, isAtLineEnd: boolean): boolean {
  return message.includes('escape') || (message.startsWith('control characters') && !isAtLineEnd);
}

function unclosedQuote(line: string): number {
  const closedOrComment = /"(?:\\.|[^"\\])*"|'[^']*'|#.*/g;
  return line.replaceAll(closedOrComment, (found) => ' '.repeat(found.length)).search(/["']/);
}

function unclosed(quote: string): string {
  return `the quote ${quote} is not closed`;
}
