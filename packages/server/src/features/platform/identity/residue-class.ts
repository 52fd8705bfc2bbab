import { ID_EPOCH_SECONDS, IDS_PER_SECOND, idParts, type Id } from '@hearth/protocol';
import type { Clock } from '../../../lib/clock.ts';

/**
 * Some of the positions of identifiers (seconds since the epoch times 65,536 plus sequence): those that leave this
 * remainder. Processes that draw from different classes never draw the same position.
 */
export interface ResidueClass {
  readonly step: number;
  readonly residue: number;
}

/** All positions, for an instance that is one process. */
export const ALL_POSITIONS: ResidueClass = { step: 1, residue: 0 };

/** Every second position, for the lobby: Redis assigns them, for all processes. */
export const LOBBY_POSITIONS: ResidueClass = { step: 2, residue: 0 };

/** The number of classes for what processes draw themselves: 1,024 positions a second each. */
export const PROCESS_CLASSES = 32;

/** A class for a process: no two of them share a position, and none shares one with the lobby. */
export function processPositions(index: number): ResidueClass {
  return { step: 2 * PROCESS_CLASSES, residue: 2 * index + 1 };
}

/** The current second, as identifiers count them. */
export function idSeconds(clock: Pick<Clock, 'unixMs'>): number {
  return Math.max(0, Math.floor(clock.unixMs() / 1_000) - ID_EPOCH_SECONDS);
}

/** The first position of a class that is not below another. */
export function firstPosition({ step, residue }: ResidueClass, atLeast: number): number {
  const over = (atLeast - residue) % step;
  return over === 0 ? atLeast : atLeast + step - (over < 0 ? over + step : over);
}

/** The lowest position at which an identifier of this instance is greater than another, of any instance. */
export function positionAfter(id: Id, instanceId: number): number {
  const { seconds, instanceId: other, sequence } = idParts(id);
  if (other === instanceId) return seconds * IDS_PER_SECOND + sequence + 1;
  return (other > instanceId ? seconds + 1 : seconds) * IDS_PER_SECOND;
}
