export { addPolls, requireEnd } from './add-polls.ts';
export { choose, type Choice } from './choose.ts';
export { describePoll, describePolls } from './describe-polls.ts';
export { recountPoll } from './recount-poll-store.ts';
export { clearPoll } from './remove-poll.ts';
export { deletePoll } from './store.ts';
export type { StoredPoll } from './stored-poll.ts';
