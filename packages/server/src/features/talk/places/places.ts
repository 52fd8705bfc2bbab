export {
  accessStill,
  actingIn,
  asChannel,
  CHANNELS,
  channelPlace,
  inChannel,
  turningInChannel,
  type ChannelPlace,
} from './channels.ts';
export { everyoneSees, type ChannelInCommunity } from './everyone-sees.ts';
export { messageExcerpt } from './excerpt.ts';
export { beginRecord } from './record.ts';
export { requireMember, sees } from './place-access.ts';
export {
  findPlace,
  GUARDED,
  may,
  requireGuard,
  type Guard,
  type HasPlaces,
  type Place,
  type PlaceAccess,
  type PlaceKind,
  type PlacesContext,
  type Requirement,
  type Turning,
} from './place.ts';
export { subjectsOf } from './subjects-of.ts';
export {
  IdTooLow,
  channelNow,
  emitAt,
  emitIn,
  emittedAt,
  greaterId,
  nothingToDo,
  placeNow,
  takeTurn,
  turningIn,
  waitingFor,
  withIdsAbove,
} from './turn.ts';
