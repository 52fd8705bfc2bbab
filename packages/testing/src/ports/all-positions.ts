import type { IdGeneratorOptions } from '../../../server/src/features/platform/identity/id-generator.ts';
import { ALL_POSITIONS } from '../../../server/src/features/platform/identity/residue-class.ts';

/** All positions, of which those below `mark` may be used; `storeMark` stores how far they are reserved. */
export function allPositions(
  mark: number,
  storeMark: (mark: number) => Promise<void>,
): Pick<IdGeneratorOptions, 'reserved' | 'reserve' | 'release'> {
  const reserved = { positions: ALL_POSITIONS, from: 0 };
  return {
    reserved: { ...reserved, end: mark },
    async reserve(end) {
      await storeMark(end);
      return { ...reserved, end };
    },
    release: storeMark,
  };
}
