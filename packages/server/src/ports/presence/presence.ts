/** Adds up how many connections the gateways of an instance have. */
export interface Presence extends AsyncDisposable {
  /**
   * Reports how many connections this process has, and resolves with the number of all processes. A process that has
   * not reported for {@link REPORT_KEPT_MS} does not count. Rejects if the number cannot be known.
   */
  report(own: number): Promise<number>;

  /** Resolves with the number of all processes. Rejects if it cannot be known. */
  total(): Promise<number>;
}

/** How long a report counts, so that the clients of a process that was killed do not count for long. */
export const REPORT_KEPT_MS = 10_000;
