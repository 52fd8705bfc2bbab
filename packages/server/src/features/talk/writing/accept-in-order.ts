import { dropOut, type Outcome } from '../../../ports/outbox/outbox.ts';

/** Something that decides for each of those who write together whether they may, by what was read and by what was accepted before. */
export interface Check<Entry> {
  /** The outcome of an entry that is not accepted. */
  refusalOf(entry: Entry): Outcome | undefined;
  /** Notes an entry that all checks accept. */
  accept?(entry: Entry): void;
  /** Stores what was noted. */
  store?(): Promise<void>;
}

/** The checks of entries; at once if nothing has to be read. */
export type Checks<Entry> = readonly Check<Entry>[] | Promise<readonly Check<Entry>[]>;

/** Lets those drop out that a check refuses, in their order: what is refused refuses nothing that comes after it. */
export function acceptInOrder<Entry extends { readonly at: number }>(
  entries: readonly Entry[],
  checks: readonly Check<Entry>[],
): void {
  const refused: (readonly [number, Outcome])[] = [];
  for (const entry of entries) {
    const outcome = refusalOf(entry, checks);
    if (outcome === undefined) for (const check of checks) check.accept?.(entry);
    else refused.push([entry.at, outcome]);
  }
  dropOut(refused);
}

function refusalOf<Entry>(entry: Entry, checks: readonly Check<Entry>[]): Outcome | undefined {
  for (const check of checks) {
    const outcome = check.refusalOf(entry);
    if (outcome !== undefined) return outcome;
  }
  return undefined;
}
