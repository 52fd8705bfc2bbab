export { addPolls, requireEnd, describePoll, describePolls } from './add-polls.ts';
export { choose, type Choice } from './choose.ts';
export { recountPoll, deletePoll, clearPoll, type StoredPoll } from './store.ts';
