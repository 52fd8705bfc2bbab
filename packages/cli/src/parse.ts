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
  const args: string[] = [];
  const flags = new Map<string, string>();
  let place: Place = { words: [], node: root };
  let haveFlagsEnded = false;
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    const { node } = place;
    if (word === '--' && !haveFlagsEnded) {
      // Before a command it has no effect: npm users type `bun run hearth -- static list`.
      haveFlagsEnded = node.kind === 'command';
    } else if (isFlag(word) && !haveFlagsEnded) {
      const given = readFlag(place, word, words[index + 1]);
      if (given.isNextWord) index += 1;
      if (flags.has(given.name) && given.value !== '') {
        throw new MisuseError(place, `--${given.name} is given twice`);
      }
      flags.set(given.name, given.value);
    } else if (node === root && word === HELP_WORD) {
      return parse(root, [...words.slice(index + 1), '--help']);
    } else if (node.kind === 'group') {
      place = descend({ words: place.words, node }, word);
    } else {
      args.push(word);
    }
  }
  return decide(place, { args, flags });
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

interface GivenFlag {
  readonly name: string;
  readonly value: string;
  readonly isNextWord: boolean;
}

function readFlag(place: Place, word: string, nextWord: string | undefined): GivenFlag {
  const equals = word.indexOf('=');
  const spelled = equals === -1 ? word : word.slice(0, equals);
  const inline = equals === -1 ? undefined : word.slice(equals + 1);
  const flag = findFlag(place, spelled);
  if (flag.value === undefined) {
    if (inline !== undefined) throw new MisuseError(place, `${spelled} takes no value`);
    return { name: flag.name, value: '', isNextWord: false };
  }
  const value = inline ?? nextWord ?? '';
  const isNextWord = inline === undefined;
  if (value === '' || (isNextWord && isFlag(value))) {
    throw new MisuseError(place, `${spelled} needs a value`);
  }
  return { name: flag.name, value, isNextWord };
}

function findFlag(place: Place, spelled: string): Flag {
  const { node } = place;
  const own = node.kind === 'command' ? node.flags : [];
  const flags = [...own, ...STANDARD_FLAGS];
  const found = flags.find((flag) => spellings(flag).includes(spelled));
  if (found !== undefined) return found;
  throw new UnknownWordError(place, { word: spelled, known: flags.flatMap(spellings) });
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
