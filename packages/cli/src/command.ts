/** A flag of a command; without `value` it is a switch. */
export interface Flag {
  /** Without the dashes. */
  readonly name: string;
  /** The same in one letter. */
  readonly letter?: string;
  /** What stands for its value in a usage line. */
  readonly value?: string;
  readonly about: string;
}

/** An argument that a command needs, by its place. */
export interface Parameter {
  readonly name: string;
  readonly about: string;
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
  /** From now on signals do not end the process but abort what is returned. */
  readonly listenForStop: () => AbortSignal;
}

/** Something that the owner can ask for. */
export interface Command {
  readonly kind: 'command';
  readonly name: string;
  readonly about: string;
  readonly parameters: readonly Parameter[];
  readonly flags: readonly Flag[];
  /** What its help ends with. */
  readonly details?: () => string;
  /** Resolves with the exit code. Throws OwnerError for what the owner can mend. */
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
  { name: 'version', about: 'Print the version' },
];

/** The word that stands for the flag --help of what follows. */
export const HELP_WORD = 'help';
