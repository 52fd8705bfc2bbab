/**
 * Reports every use of a word that docs/style.md avoids, in all tracked text files: `bun scripts/lint-words.ts`. Ends
 * with exit code 1 if there is any.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const STYLE = 'docs/style.md';
const TEXT_FILE = /\.(css|example|html|json|md|mjs|service|toml|ts|tsx|webmanifest|yaml)$/;

/** A row of the table: words to avoid, and what to write instead. */
export interface Avoided {
  readonly words: RegExp;
  /** Phrases that contain one of the words but are allowed. */
  readonly allowed: readonly string[];
  readonly instead: string;
}

/** One use of an avoided word. */
export interface Finding {
  /** From 1. */
  readonly line: number;
  readonly word: string;
  readonly instead: string;
}

/** Reads the table of words at the end of the style guide. Throws if there is none. */
export function avoidedIn(style: string): readonly Avoided[] {
  const rows = [...style.matchAll(/^\| (.+) \| (.+) \| ?(.*?) ?\|$/gm)].slice(1);
  if (rows.length === 0) throw new Error(`${STYLE} has no table of words`);
  return rows
    .filter(([, words = '']) => !words.startsWith('-'))
    .map(([, words = '', instead = '', allowed = '']) => ({
      words: new RegExp(`\\b(${words.split(', ').join('|')})\\b`, 'gi'),
      allowed: [...allowed.matchAll(/`([^`]+)`/g)].map(([, phrase = '']) => phrase),
      instead,
    }));
}

/** Finds the avoided words in a text. */
export function findingsIn(text: string, avoided: readonly Avoided[]): readonly Finding[] {
  return text.split('\n').flatMap((content, index) =>
    avoided.flatMap(({ words, allowed, instead }) => {
      const checked = allowed.reduce((rest, phrase) => rest.replaceAll(phrase, ''), content);
      return [...checked.matchAll(words)].map(([word]) => ({ line: index + 1, word, instead }));
    }),
  );
}

function report(): boolean {
  const avoided = avoidedIn(readFileSync(join(ROOT, STYLE), 'utf8'));
  const { stdout } = Bun.spawnSync(['git', 'ls-files'], { cwd: ROOT });
  const files = stdout.toString().trim().split('\n');
  const lines = files
    .filter((file) => TEXT_FILE.test(file) && file !== STYLE)
    .flatMap((file) =>
      findingsIn(readFileSync(join(ROOT, file), 'utf8'), avoided).map(
        ({ line, word, instead }) => `${file}:${line}: "${word}": write ${instead}`,
      ),
    );
  process.stderr.write([...lines, `${lines.length} words to avoid are used.`, ''].join('\n'));
  return lines.length === 0;
}

if (import.meta.main) process.exitCode = report() ? 0 : 1;
