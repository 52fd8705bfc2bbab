/** How thorough a run is. */
export interface Settings {
  /** How often each subject has its turn. */
  readonly rounds: number;
  /** How long a turn is. */
  readonly sliceMs: number;
  /** How long each subject works before anything is measured. */
  readonly warmUpMs: number;
  /** Whether all work is cut down to what shows that it can be done, as in CI. */
  readonly isShort: boolean;
}

/** What is to be reached, `least` or `most`. */
export interface Goal {
  readonly least?: number;
  readonly most?: number;
}

/** One line of the result: a subject at some work. */
export interface Row {
  readonly work: string;
  readonly subject: string;
  readonly value: number;
  /** What `value` counts. */
  readonly unit: string;
  /** CPU of the server for one operation. */
  readonly cpuMicroseconds?: number;
  /** Cores that the server and the load generator kept busy. */
  readonly serverCores?: number;
  readonly loadCores?: number;
  /** Of the server, at the end. */
  readonly residentBytes?: number;
  /** Ours divided by that of this subject. */
  readonly ratio?: number;
  /** For the ratio, or for the value where there is none. */
  readonly goal?: Goal;
}

/** Something that is measured, by its name on the command line. */
export interface Benchmark {
  readonly name: string;
  readonly about: string;
  /** Gives rows as they are measured. Throws where what is measured does not work. */
  readonly run: (settings: Settings) => AsyncIterable<Row>;
}

/** Whether a row reaches its goal; undefined where it has none. */
export function reachesGoal({ ratio, value, goal }: Row): boolean | undefined {
  if (goal === undefined) return undefined;
  const { least = -Infinity, most = Infinity } = goal;
  const judged = ratio ?? value;
  return judged >= least && judged <= most;
}
