import { formatId, type Id } from '@hearth/protocol';
import type { IdSource } from '../../../server/src/context.ts';

/** Identifiers from `make`, which may throw. */
export function idsFrom(make: () => Id): IdSource {
  return {
    next: async () => make(),
    after: async () => make(),
    afterNow: () => make(),
    nextFor: (use) => use(make()),
  };
}

/** Identifiers of one second, one after another. */
export function countedIds(): IdSource {
  let sequence = 0;
  return idsFrom(() => formatId({ seconds: 1, instanceId: 1, sequence: (sequence += 1) }));
}
