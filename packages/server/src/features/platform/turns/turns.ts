export {
  closeTurn,
  holdTurns,
  insertTurn,
  lockTurn,
  lockTurnsFor,
  nextNumbers,
  raiseVersions,
  selectLastId,
  setLast,
  type LockedForNew,
  type LockedTurn,
} from './store.ts';
export type { TurnsTable } from './tables.ts';
