/** A part of a list, and how to ask for what follows. */
export interface Page<Entry> {
  readonly entries: readonly Entry[];
  /** Undefined at the end. */
  readonly next: string | undefined;
}
