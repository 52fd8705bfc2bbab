import { join } from 'node:path';

/** A rule of the specification: a list item of a chapter. */
export interface Rule {
  readonly number: string;
  readonly file: string;
  readonly text: string;
}

/** The folder of the repository. */
export const ROOT = join(import.meta.dirname, '../../../..');

/** The rules of a chapter: list items that begin with a number in bold, each up to the next item or empty line. */
export function rulesOf(file: string, chapter: string): Rule[] {
  return chapter.split(/\n(?=[-*] |\s*\n)/).flatMap((block) => {
    const number = /^[-*] \*\*([A-Z]{2}[0-9]+[a-z]?)\*\*/.exec(block.trimStart())?.[1];
    return number === undefined ? [] : [{ number, file, text: block }];
  });
}

/** The files of the repository that fit a pattern, with their texts. */
export async function readAll(
  pattern: string,
): Promise<{ readonly file: string; readonly text: string }[]> {
  const files = (await Array.fromAsync(new Bun.Glob(pattern).scan({ cwd: ROOT }))).toSorted();
  return Promise.all(
    files.map(async (file) => ({ file, text: await Bun.file(join(ROOT, file)).text() })),
  );
}

/** Every rule of the specification. */
export async function readRules(): Promise<Rule[]> {
  return (await readAll('docs/spec/*.md')).flatMap(({ file, text }) => rulesOf(file, text));
}
