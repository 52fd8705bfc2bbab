export { findMarks, findReadStates } from './find-read-states.ts';
export { markOwn } from './store.ts';
