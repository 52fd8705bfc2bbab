/**
 * Adds up how many connections the gateways of an instance have. If the other processes cannot be asked, they count as
 * they were last known, so no method rejects.
 */
export interface Presence extends AsyncDisposable {
  /**
   * Reports how many connections this process has, and resolves with the number of all processes. A process that has
   * not reported for {@link REPORT_KEPT_MS} does not count.
   */
  report(own: number): Promise<number>;

  /** Resolves with the number of all processes, and reports the last number of this one again. */
  total(): Promise<number>;
}

/** The time for which a report counts, so that the clients of a process that was killed do not count for long. */
export const REPORT_KEPT_MS = 10_000;
