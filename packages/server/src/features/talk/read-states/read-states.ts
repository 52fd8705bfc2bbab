export { findMarks, findReadStates } from './find-read-states.ts';
export { markOwn } from './mark-own.ts';
