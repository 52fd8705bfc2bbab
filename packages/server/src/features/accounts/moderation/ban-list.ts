import type { Term } from '../../../restrictions.ts';
import {
  formatClientRange,
  isOneClient,
  parseClientRange,
  shortened,
  type ClientRange,
} from '../../../client-range.ts';

/** The bans of one family and length, by their ranges. */
interface Ranges {
  readonly family: ClientRange['family'];
  readonly length: number;
  readonly byRange: ReadonlyMap<string, Term>;
}

/** Finds the bans that include a client. */
export class BanList {
  readonly #ranges: readonly Ranges[];

  constructor(bans: readonly { readonly range: ClientRange; readonly term: Term }[]) {
    const groups = Map.groupBy(bans, ({ range: { family, length } }) => `${family}/${length}`);
    this.#ranges = Array.from(groups.values(), (group) => {
      const byRange = new Map(group.map(({ range, term }) => [formatClientRange(range), term]));
      const { family = 4, length = 0 } = group[0]?.range ?? {};
      return { family, length, byRange };
    });
  }

  get isEmpty(): boolean {
    return this.#ranges.length === 0;
  }

  /** The bans that include a client, given by the key that limits count by. */
  of(client: string): readonly Term[] {
    let own: ClientRange | undefined;
    return this.#ranges.flatMap(({ family, length, byRange }) => {
      // Most bans are of single clients, and need no parsing.
      if (isOneClient({ family, length })) return termsIn(byRange, client);
      own ??= parseClientRange(client);
      if (own?.family !== family) return [];
      return termsIn(byRange, formatClientRange(shortened(own, length)));
    });
  }
}

function termsIn(byRange: Ranges['byRange'], range: string): readonly Term[] {
  const term = byRange.get(range);
  return term === undefined ? [] : [term];
}
