/**
 * Reports docstrings that begin with a word such as "What", and titles of tests that begin with a verb or with "of":
 * `bun scripts/lint-openings.ts`. Ends with exit code 1 if there is any.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const EXAMPLES = 'scripts/lint-openings.test.ts';

const DOCSTRING = /(?<=^|[\s({,;])\/\*\*\s[\s\S]*?\*\//g;
const MARGIN = /^\/\*\*|\*\/$|^[ \t]*\*(?!\/) ?/gm;
const TITLE =
  /(?:\b(?:test|it|describe)(?:\.\w+(?:\((?:[^()]|\([^()]*\))*\))?)*|^ *\]\))\(\s*(['"`])(?<title>(?:\\.|(?!\1)[\s\S])*)\1/gm;

const DOCSTRING_OPENINGS = /^(?:what|who|whom|whether|how|where|those|of|the same)\b/i;

/** Verbs with which a title begins, unless they are nouns: "writes are found". */
const VERBS = new Set(
  `accepts adds admits allows appears appends applies are ask asks became become becomes begin
  begins belongs bounds brings builds can cannot carries causes changes checks chooses closes
  combines come comes commits compares completes computes connects consists contain contains
  continues converts copies cost costs could cover covers create creates cuts decodes delays
  deletes delivers depends describes discards distinguishes divides do does doesn't drains drops
  edits encodes ends enters escapes evicts expires explains fail fails fetches fills finds
  finishes fits follows forgets gathers get gets give gives goes grows had handles has have hides
  holds identifies ignores includes inserts invalidates is isn't joins keep keeps knows lacks
  lasts learns leave leaves let lets lives locks logs looks lose loses maintains makes matches may
  means merges might misses moves must needs never offers omits opens orders outlives parses
  passes pauses picks pings prefers prints produces publishes puts queues reach reads receive
  receives recognises reconnects records refuses rejects releases relies remains remembers removes
  renames renew repeats replaces requires rereads reserves resets resolves respects restarts
  resumes retries returns revalidate revalidates rolls runs says select send sends separates
  serves sets shares should skips sorts sounds starts stay stays stops stores strips survives
  swallows take takes throws treats tries trusts turned turns unfolds waits warns was were
  will wins works would writes`.split(/\s+/),
);

/** Follows a noun, never a verb. */
const AFTER_NOUN = /^\S+(?:,| (?:are|have|of|were)\b)/;

/** Nouns with which a title may begin, unless they are verbs: "answers the first". */
const VERB_OR_NOUN =
  /^(?:answers?|calls?|comments?|counts?|groups|lists?|names?|notices|permits?|posts?|reports?|requests?|saves?|searches|sets?|shows?|signs?|supports?|uses?|votes?) (?:an?|all|any|both|each|every|if|it|its|itself|no|nobody|like|nothing|one|only|several|the|those|their|them|together|what|whatever|whether|while|who|with a|GET|HEAD|OPTIONS|POST|%[a-z])\b/;

/** A docstring or title that begins with the wrong word. */
export interface Finding {
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

/** Finds the docstrings that begin with a word such as "What". */
export function docstringsIn(source: string): readonly Finding[] {
  return [...source.matchAll(DOCSTRING)].flatMap(({ 0: comment, index }) => {
    const text = comment.replaceAll(MARGIN, '').trim();
    return DOCSTRING_OPENINGS.test(text) ? [{ line: lineAt(source, index), text }] : [];
  });
}

/** Finds the titles of tests, and of groups of them, that begin with a verb or with "of". */
export function titlesIn(source: string): readonly Finding[] {
  return [...source.matchAll(TITLE)].flatMap(({ 0: whole, groups, index }) => {
    const text = (groups?.['title'] ?? '').replace(/^(?:\[[^\]]*\]\s*)+/, '');
    const [first = ''] = text.split(/[\s,:]/);
    const isVerb = VERBS.has(first) ? !AFTER_NOUN.test(text) : VERB_OR_NOUN.test(text);
    const title = index + whole.length - 1;
    return first === 'of' || isVerb ? [{ line: lineAt(source, title), text }] : [];
  });
}

function lineAt(source: string, index: number): number {
  return source.slice(0, index).split('\n').length;
}

function report(): boolean {
  const { stdout } = Bun.spawnSync(['git', 'ls-files', '*.ts', '*.tsx'], { cwd: ROOT });
  const files = stdout.toString().trim().split('\n');
  const lines = files
    .filter((file) => file !== EXAMPLES)
    .flatMap((file) => {
      const source = readFileSync(join(ROOT, file), 'utf8');
      const found = [
        ...docstringsIn(source).map(
          (each) => [each, 'begin the docstring with a noun or a verb'] as const,
        ),
        ...titlesIn(source).map((each) => [each, 'begin the title with its subject'] as const),
      ];
      return found.map(
        ([{ line, text }, advice]) => `${file}:${line}: "${text.slice(0, 40)}": ${advice}`,
      );
    });
  process.stderr.write(
    [...lines, `${lines.length} docstrings and titles begin with a wrong word.`, ''].join('\n'),
  );
  return lines.length === 0;
}

if (import.meta.main) process.exitCode = report() ? 0 : 1;
