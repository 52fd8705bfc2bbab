export { aboveIndexes, type HasIndexes, type HoldIndexes } from './above-indexes.ts';
export {
  deleteChange,
  noteChanged,
  selectChangedChannels,
  selectChanges,
  sweptChanges,
} from './change-store.ts';
export { PostedChannels, type KeepsPosted } from './posted-channels.ts';
