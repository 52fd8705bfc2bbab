export { messageExcerpt } from './excerpt.ts';
export { everyoneSees, type Place } from './everyone-sees.ts';
export { may, requireMember, sees, type Requirement } from './place-access.ts';
export {
  IdTooLow,
  type Turning,
  accessStill,
  channelNow,
  emitAt,
  emitIn,
  emittedAt,
  greaterId,
  nothingToDo,
  takeTurn,
  turningIn,
  waitingFor,
  withIdsAbove,
} from './turn.ts';
