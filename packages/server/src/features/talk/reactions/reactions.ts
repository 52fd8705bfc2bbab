export { requireEmoji, type CountedReactions } from './counted-reactions.ts';
export { eachReaction } from './each-reaction.ts';
export { addTo, listReactedTo, takeBack, takeFrom, type ReactedMessage } from './react.ts';
export {
  deleteLobbyReactions,
  deleteReactionsTo,
  selectReactionsOf,
  type ReactedRange,
  type StoredReaction,
} from './reaction-store.ts';
