export { votesOf } from './export-votes.ts';
export { clearVotes } from './remove-votes.ts';
export {
  countVotes,
  deleteVotesFor,
  forgetGiven,
  selectGivenTo,
  selectGiving,
  selectVoters,
  selectVotesOf,
  sumGiven,
  takeVote,
  type VoteCast,
  type VoteKey,
} from './store.ts';
export { storeVotes, type VoteOf } from './store-votes.ts';
export {
  describeTotals,
  hiddenUntil,
  withVote,
  type CountedVotes,
  type Voted,
  type VotedPlace,
  type VotedStore,
  type Votes,
} from './voted.ts';
export { votedStore } from './voted-store.ts';
