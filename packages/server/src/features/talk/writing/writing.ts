export { type Check, type Checks } from './accept-in-order.ts';
export type {
  Draft,
  Entry,
  Kind,
  NotWritten,
  Now,
  Placed,
  Write,
  WritingContext,
} from './entry.ts';
export { givenFiles, type AttachedId, type GivenFiles } from './given-files.ts';
export { placeOf, takeTurns, type InTurn } from './in-turn.ts';
export { correct } from './nonces-of.ts';
export { dropOutdated } from './outdated.ts';
export { say } from './say.ts';
export { writing } from './write-together.ts';
