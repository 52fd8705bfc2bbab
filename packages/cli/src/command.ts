/** A flag of a command; without `value` it is a switch. */
export interface Flag {
  /** Without the dashes. */
  readonly name: string;
  /** The short form, one letter. */
  readonly letter?: string;
  /** The placeholder for its value in a usage line. */
  readonly value?: string;
  readonly about: string;
  readonly isRequired?: true;
}

/** A positional argument of a command. */
export interface Parameter {
  readonly name: string;
  readonly about: string;
  readonly isOptional?: true;
  /** True if it takes one or more arguments. Only the last parameter may. */
  readonly isRepeated?: true;
}

/** The arguments and flags that were typed after a command. */
export interface Invocation {
  readonly args: readonly string[];
  readonly flags: ReadonlyMap<string, string>;
}

/** The environment of a command, taken from the process once. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly workingDir: string;
  /** Writes to standard output. */
  readonly print: (text: string) => void;
  /** Writes to standard error. */
  readonly warn: (text: string) => void;
  /** The process's own streams, for interactive commands. Each is loaded when it is first used. */
  readonly streams: Pick<NodeJS.Process, 'stdin' | 'stdout' | 'stderr'>;
  /** From now on, signals do not end the process. They abort the returned signal, with the reason as a text. */
  readonly listenForStop: () => AbortSignal;
}

/** Returns a function that prints a warning about the configuration on its own line. */
export function warnings(warn: Surroundings['warn']): (line: string) => void {
  return (line) => warn(`hearth: warning: ${line}\n`);
}

export interface Command {
  readonly kind: 'command';
  readonly name: string;
  /** A shorter name. */
  readonly alias?: string;
  readonly about: string;
  readonly parameters: readonly Parameter[];
  readonly flags: readonly Flag[];
  /** The end of its help. */
  readonly details?: () => string;
  /** Resolves with the exit code. Throws OwnerError if the owner can fix the cause, UsageError for wrong arguments. */
  readonly run: (invocation: Invocation, surroundings: Surroundings) => Promise<number>;
}

/** Commands that share their first word. */
export interface Group {
  readonly kind: 'group';
  readonly name: string;
  readonly about: string;
  readonly commands: readonly (Command | Group)[];
  /** The end of its help. */
  readonly details?: () => string;
}

/** A command or a group, and the words that lead to it, without the program's name. */
export interface Place<Node extends Command | Group = Command | Group> {
  readonly words: readonly string[];
  readonly node: Node;
}

/** The flags that every command and group has. */
export const STANDARD_FLAGS: readonly Flag[] = [
  { name: 'help', letter: 'h', about: 'Print this help' },
  { name: 'version', letter: 'v', about: 'Print the version' },
];

/** `hearth help <command>` is `hearth <command> --help`. */
export const HELP_WORD = 'help';

/** Returns a flag as it is typed. */
export function flagUsage({ name, letter, value }: Flag): string {
  const spelled = letter === undefined ? `--${name}` : `-${letter}, --${name}`;
  return value === undefined ? spelled : `${spelled} <${value}>`;
}
