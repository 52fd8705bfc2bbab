/** A flag of a command; without `value` it is a switch. */
export interface Flag {
  /** Without the dashes. */
  readonly name: string;
  /** The same in one letter. */
  readonly letter?: string;
  /** What stands for its value in a usage line. */
  readonly value?: string;
  readonly about: string;
  /** Whether the command cannot do without it. */
  readonly isRequired?: true;
}

/** An argument that a command needs, by its place. */
export interface Parameter {
  readonly name: string;
  readonly about: string;
  /** Whether several may be given, one at least; of the last parameter only. */
  readonly isRepeated?: true;
}

/** What was typed after a command: an argument for every parameter, and the flags that were given. */
export interface Invocation {
  readonly args: readonly string[];
  readonly flags: ReadonlyMap<string, string>;
}

/** What a command runs in, taken from the process once. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly workingDir: string;
  /** Writes what was asked for. */
  readonly print: (text: string) => void;
  /** Writes what went wrong. */
  readonly warn: (text: string) => void;
  /** The process's own streams, for commands that talk: each is loaded when it is first asked for. */
  readonly streams: Pick<NodeJS.Process, 'stdin' | 'stdout' | 'stderr'>;
  /** From now on signals do not end the process but abort what is returned, with the reason as a text. */
  readonly listenForStop: () => AbortSignal;
}

/** Prints what is likely a mistake of the configuration, and stops nothing, as a line of its own. */
export function warnings(warn: Surroundings['warn']): (line: string) => void {
  return (line) => warn(`hearth: warning: ${line}\n`);
}

/** Something that can be asked for. */
export interface Command {
  readonly kind: 'command';
  readonly name: string;
  /** A shorter name for the same. */
  readonly alias?: string;
  readonly about: string;
  readonly parameters: readonly Parameter[];
  readonly flags: readonly Flag[];
  /** What its help ends with. */
  readonly details?: () => string;
  /** Resolves with the exit code. Throws OwnerError for what the owner can mend, UsageError for words that do not fit. */
  readonly run: (invocation: Invocation, surroundings: Surroundings) => Promise<number>;
}

/** Commands under one word. */
export interface Group {
  readonly kind: 'group';
  readonly name: string;
  readonly about: string;
  readonly commands: readonly (Command | Group)[];
  /** What its help ends with. */
  readonly details?: () => string;
}

/** A command or a group, and the words that lead there, the program's name not among them. */
export interface Place<Node extends Command | Group = Command | Group> {
  readonly words: readonly string[];
  readonly node: Node;
}

/** The flags that every command and group has. */
export const STANDARD_FLAGS: readonly Flag[] = [
  { name: 'help', letter: 'h', about: 'Print this help' },
  { name: 'version', letter: 'v', about: 'Print the version' },
];

/** The word that stands for the flag --help of what follows. */
export const HELP_WORD = 'help';

/** How a flag is typed. */
export function flagUsage({ name, letter, value }: Flag): string {
  const spelled = letter === undefined ? `--${name}` : `-${letter}, --${name}`;
  return value === undefined ? spelled : `${spelled} <${value}>`;
}
