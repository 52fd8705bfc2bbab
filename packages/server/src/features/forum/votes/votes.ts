export { countVotes, selectGivenTo, sumGiven } from './counted-votes-store.ts';
export { findVoters } from './find-voters.ts';
export { forgetAllGiven } from './forget-given.ts';
export { describeTotals, hiddenUntil } from './hidden-scores.ts';
export type { VoteOf } from './points-of-vote.ts';
export { clearVotes } from './remove-votes.ts';
export { deleteVotesFor, selectVotesOf } from './store.ts';
export { storeVotes } from './store-votes.ts';
export { takeBackVote } from './take-back-vote.ts';
export {
  withVote,
  type CountedVotes,
  type Voted,
  type VotedPlace,
  type VotedStore,
  type Votes,
} from './voted.ts';
export { votedStore } from './voted-store.ts';
export { votesOf } from './votes-of.ts';
