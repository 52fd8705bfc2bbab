import type { TomlError } from 'smol-toml';

/** What is wrong with a TOML document, in words, and its place; both numbers begin at 1. */
export interface TomlMistake {
  readonly line: number;
  readonly column: number;
  readonly problem: string;
}

/** What `error`, which the parser threw for `text`, means. A quote that is not closed is reported as such. */
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

/** Whether it is about a character of a string, which may have several lines: quotes in it mean nothing. */
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
