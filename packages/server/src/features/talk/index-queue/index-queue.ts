export { aboveIndexes, type HasIndexes, type HoldIndexes } from './above-indexes.ts';
export { noteChanged } from './note-changed.ts';
export { PostedChannels, type KeepsPosted } from './posted-channels.ts';
