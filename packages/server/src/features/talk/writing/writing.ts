export type {
  AttachedId,
  Check,
  Draft,
  Entry,
  InTurn,
  Kind,
  NotWritten,
  Now,
  Placed,
  Write,
  WritingContext,
} from './entry.ts';
export { givenFiles } from './files.ts';
export { correct } from './nonces-of.ts';
export { dropOutdated, placeOf, say, takeTurns, writing } from './say.ts';
