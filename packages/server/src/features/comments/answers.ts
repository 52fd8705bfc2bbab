// What accepting an answer needs of comments.
export { lockComment as lockAnswer } from './store.ts';
