export interface Settings {
  /** The number of turns of each subject. */
  readonly rounds: number;
  readonly sliceMs: number;
  /** The time that each subject runs before anything is measured. */
  readonly warmUpMs: number;
  /** True if all work is reduced to the minimum that shows that it runs, as in CI. */
  readonly isShort: boolean;
}

/** A goal: the `least` or the `most` that a value may be. */
export interface Goal {
  readonly least?: number;
  readonly most?: number;
}

/** One row of the result: a subject doing some work. */
export interface Row {
  readonly work: string;
  readonly subject: string;
  readonly value: number;
  /** The unit of `value`. */
  readonly unit: string;
  /** CPU time of the server for one operation. */
  readonly cpuMicroseconds?: number;
  /** Cores that the server and the load generator kept busy. */
  readonly serverCores?: number;
  readonly loadCores?: number;
  /** The memory of the server at the end. */
  readonly residentBytes?: number;
  /** Hearth's value divided by the value of this subject. */
  readonly ratio?: number;
  /** The goal for the ratio, or for the value if there is no ratio. */
  readonly goal?: Goal;
}

/** A benchmark, with its name on the command line. */
export interface Benchmark {
  readonly name: string;
  readonly about: string;
  /** Yields each row when it is measured. Throws if something that is measured does not work. */
  readonly run: (settings: Settings) => AsyncIterable<Row>;
}

/** Returns whether a row reaches its goal; undefined if it has none. */
export function reachesGoal({ ratio, value, goal }: Row): boolean | undefined {
  if (goal === undefined) return undefined;
  const { least = -Infinity, most = Infinity } = goal;
  const judged = ratio ?? value;
  return judged >= least && judged <= most;
}
