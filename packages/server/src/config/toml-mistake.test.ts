import { expect, test } from 'bun:test';
import { parse, TomlError } from 'smol-toml';
import { tomlMistake } from './toml-mistake.ts';

test.each([
  ['a = "x', '1:5: the quote " is not closed'],
  ['a = "x\nb = 1', '1:5: the quote " is not closed'],
  ["a = 1\r\n\r\nb = 'x\r\nc = 1", "3:5: the quote ' is not closed"],
  ['a = "x\\"\n', '1:5: the quote " is not closed'],
  ['a = "it\'s" # "quoted"\n"b = 1\n', '2:1: the quote " is not closed'],
  ['["a]\n', '1:2: the quote " is not closed'],
  ['a = "x\n"\n', '1:5: the quote " is not closed'],
  ['a = ["x", "y]\n', '1:11: the quote " is not closed'],
  ['a = ["x, "y"]\n', '1:12: the quote " is not closed'],
  ['a = [\n  "x",\n  "y\n]\n', '3:3: the quote " is not closed'],
  ['a = x"\n', '1:6: the quote " is not closed'],
  ['a = """x\ny\nb = 1\n', '1:5: the quote """ is not closed'],
  ["\na = '''x\n", "2:5: the quote ''' is not closed"],
])('[CF12] an unclosed quote is reported as such with its place: %j', (text, mistake) => {
  expect(mistakeIn(text)).toBe(mistake);
});

test.each([
  ['a = ', '1:5: invalid value'],
  ['a = x # "', '1:5: invalid value'],
  ['a = """\nit\'s \\q"""', '2:7: unrecognised escape sequence'],
  ['a = "it\'s \u0001"', '1:11: control characters are not allowed in strings'],
])('[CF9] another mistake is reported in the words of the parser: %j', (text, mistake) => {
  expect(mistakeIn(text)).toBe(mistake);
});

function mistakeIn(text: string): string {
  try {
    parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const { line, column, problem } = tomlMistake(text, error);
    return `${line}:${column}: ${problem}`;
  }
  throw new Error('this is TOML');
}
