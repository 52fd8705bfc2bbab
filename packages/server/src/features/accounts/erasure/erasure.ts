export { addErasures } from './erase-account.ts';
export type { EraseContent, ErasedContent } from './eraser.ts';
