import { formatId, type Id } from '@hearth/protocol';
import type { IdSource } from '../../../server/src/ports/bus/id-source.ts';

/** Identifiers from `make`, which may throw. */
export function idsFrom(make: () => Id): IdSource {
  return {
    next: async () => make(),
    after: async () => make(),
    afterNow: () => make(),
    nextFor: (use) => use(make()),
  };
}

const FIRST = BigInt(formatId({ seconds: 1, instanceId: 1, sequence: 0 }));

/** Identifiers of one second, one after another. Those of two sources differ if these have other numbers `of` the same number. */
export function countedIds({ number = 0, of = 1 } = {}): IdSource {
  const step = BigInt(of);
  let last = FIRST + BigInt(number);
  // Guarantee: made of digits.
  const next = () => String((last += step)) as Id;
  const after = (id: Id) => {
    const missing = BigInt(id) - last;
    if (missing > 0) last += (missing / step) * step;
    return next();
  };
  return { ...idsFrom(next), after: async (id) => after(id), afterNow: after };
}
