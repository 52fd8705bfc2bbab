export { addErasures, type EraseContent, type ErasedContent } from './erase-account.ts';
export { deleteRowsOf } from './store.ts';
