import { parseArgs } from 'node:util';
import {
  flagUsage,
  HELP_WORD,
  STANDARD_FLAGS,
  type Command,
  type Flag,
  type Group,
  type Invocation,
  type Place,
} from './command.ts';

/** The meaning of a command line; `nothing` is a group without a command. */
export type Outcome =
  | { readonly kind: 'run'; readonly place: Place<Command>; readonly invocation: Invocation }
  | { readonly kind: 'help' | 'nothing'; readonly place: Place }
  | { readonly kind: 'version' };

/** A command or a flag that does not exist, with the known ones of the same place. */
export class UnknownWordError extends Error {
  /** The group that has no such command, or the command or group that has no such flag. */
  readonly place: Place;
  readonly word: string;
  readonly known: readonly string[];

  constructor(place: Place, { word, known }: { word: string; known: readonly string[] }) {
    super(`unknown ${isFlag(word) ? 'flag' : 'command'} "${inFull(place, word)}"`);
    this.place = place;
    this.word = word;
    this.known = known;
  }
}

/** A command or a flag of `place`, as it is typed after the program's name. */
export function inFull(place: Place, word: string): string {
  return isFlag(word) ? word : [...place.words, word].join(' ');
}

/** An existing command with arguments or flags that do not fit it. */
export class MisuseError extends Error {
  readonly place: Place;

  constructor(place: Place, problem: string) {
    super(problem);
    this.place = place;
  }
}

/** Parses the words of a command line. Throws UnknownWordError and MisuseError. */
export function parse(root: Group, words: readonly string[]): Outcome {
  const rest: string[] = [];
  let place: Place = { words: [], node: root };
  for (const word of words) {
    const { node } = place;
    if (node.kind === 'command') {
      rest.push(word);
    } else if (node === root && word === HELP_WORD) {
      rest.push('--help');
    } else if (!isFlag(word)) {
      place = descend({ words: place.words, node }, word);
    } else if (word !== '--') {
      // Before a command, `--` has no effect: npm users type `bun run hearth -- static list`.
      readInvocation(place, [word]);
      rest.push(word);
    }
  }
  return decide(place, readInvocation(place, rest));
}

/** Reads the arguments and flags that were typed at `place`. */
function readInvocation(place: Place, words: readonly string[]): Invocation {
  const { node } = place;
  const known = [...(node.kind === 'command' ? node.flags : []), ...STANDARD_FLAGS];
  const args: string[] = [];
  const flags = new Map<string, string>();
  for (const token of tokensOf(words, known)) {
    if (token.kind === 'positional') args.push(token.value);
    if (token.kind !== 'option') continue;
    const { name, rawName, value } = token;
    const flag = known.find((each) => each.name === name);
    if (flag === undefined)
      throw new UnknownWordError(place, { word: rawName, known: known.flatMap(spellings) });
    if (flag.value === undefined) {
      if (value !== undefined) throw new MisuseError(place, `${rawName} takes no value`);
    } else {
      const isForgotten = !value || (!token.inlineValue && isFlag(value));
      if (isForgotten) throw new MisuseError(place, `${rawName} needs a value`);
      if (flags.has(name)) throw new MisuseError(place, `--${name} is given twice`);
    }
    flags.set(name, value ?? '');
  }
  return { args, flags };
}

function tokensOf(words: readonly string[], known: readonly Flag[]) {
  const options = known.map(({ name, letter, value }) => {
    const type = value === undefined ? ('boolean' as const) : ('string' as const);
    return [name, letter === undefined ? { type } : { type, short: letter }] as const;
  });
  // In strict mode, the word at fault would be found in English messages only.
  return parseArgs({
    args: [...words],
    options: Object.fromEntries(options),
    allowPositionals: true,
    strict: false,
    tokens: true,
  }).tokens;
}

function decide({ words, node }: Place, invocation: Invocation): Outcome {
  const place = { words, node };
  // Checked before `help`, so that `hearth help --version` prints the version.
  if (invocation.flags.has('version')) return { kind: 'version' };
  if (invocation.flags.has('help')) return { kind: 'help', place };
  if (node.kind === 'group') return { kind: 'nothing', place };
  const missing = node.parameters[invocation.args.length];
  if (missing !== undefined && missing.isOptional !== true)
    throw new MisuseError(place, `missing <${missing.name}>`);
  const takesMore = node.parameters.at(-1)?.isRepeated ?? false;
  const extra = takesMore ? undefined : invocation.args[node.parameters.length];
  if (extra !== undefined) throw new MisuseError(place, `unexpected "${extra}"`);
  const needed = node.flags.find(
    ({ name, isRequired }) => isRequired === true && !invocation.flags.has(name),
  );
  if (needed !== undefined) throw new MisuseError(place, `missing ${flagUsage(needed)}`);
  return { kind: 'run', place: { words, node }, invocation };
}

function descend({ words, node }: Place<Group>, word: string): Place {
  const next = node.commands.find((each) => namesOf(each).includes(word));
  if (next !== undefined) return { words: [...words, next.name], node: next };
  const names = node.commands.flatMap(namesOf);
  const known = words.length === 0 ? [...names, HELP_WORD] : names;
  throw new UnknownWordError({ words, node }, { word, known });
}

function namesOf(node: Command | Group): readonly string[] {
  return node.kind === 'group' || node.alias === undefined ? [node.name] : [node.name, node.alias];
}

function spellings({ name, letter }: Flag): readonly string[] {
  return letter === undefined ? [`--${name}`] : [`--${name}`, `-${letter}`];
}

// By convention, a single dash is an argument.
function isFlag(word: string): boolean {
  return word.startsWith('-') && word !== '-';
}
