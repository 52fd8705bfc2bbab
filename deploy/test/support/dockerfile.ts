import { readFileSync } from 'node:fs';

/** One instruction, with its flags parsed: `--from=build` becomes `['from', 'build']`. */
export interface Instruction {
  readonly name: string;
  readonly flags: ReadonlyMap<string, string>;
  /** The text after the name and the flags. */
  readonly rest: string;
}

/** The instructions that one FROM begins. */
export interface Stage {
  readonly image: string;
  readonly name: string | undefined;
  readonly instructions: readonly Instruction[];
}

/** The stages of the Dockerfile at `path`. It may have comments and continued lines, but no heredocs. */
export function readDockerfile(path: string): readonly Stage[] {
  const lines = readFileSync(path, 'utf8')
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const stages: { image: string; name: string | undefined; instructions: Instruction[] }[] = [];
  for (const instruction of lines.map(parse)) {
    if (instruction.name === 'FROM') {
      const [image = '', , name] = instruction.rest.split(/\s+/);
      stages.push({ image, name, instructions: [] });
    } else {
      const stage = stages.at(-1);
      if (stage === undefined) throw new Error(`${instruction.name} stands before FROM`);
      stage.instructions.push(instruction);
    }
  }
  return stages;
}

/** The text of the last instruction of this name, or an empty text if there is none. */
export function lastOf({ instructions }: Stage, name: string): string {
  return instructions.findLast((instruction) => instruction.name === name)?.rest ?? '';
}

/** The words of an instruction in exec form: `["bun", "x"]`. */
export function wordsOf(rest: string): readonly string[] {
  const parsed: unknown = JSON.parse(rest);
  if (!Array.isArray(parsed)) throw new Error(`not in exec form: ${rest}`);
  return parsed.map(String);
}

/** The variables that ENV sets. */
export function variablesOf({ instructions }: Stage): Readonly<Record<string, string>> {
  const settings = instructions
    .filter(({ name }) => name === 'ENV')
    .flatMap(({ rest }) => rest.split(/\s+/));
  return Object.fromEntries(
    settings.map((setting) => {
      const [name = '', ...value] = setting.split('=');
      return [name, value.join('=')] as const;
    }),
  );
}

function parse(line: string): Instruction {
  const [name = '', ...words] = line.trim().split(/\s+/);
  const isFlag = (word: string) => /^--[a-z-]+=/.test(word);
  const count = words.findIndex((word) => !isFlag(word));
  const flags = words.slice(0, count).map((word) => {
    const [flag = '', ...value] = word.slice(2).split('=');
    return [flag, value.join('=')] as const;
  });
  return {
    name: name.toUpperCase(),
    flags: new Map(flags),
    rest: words.slice(count).join(' '),
  };
}
