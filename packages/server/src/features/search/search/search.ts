export { ChannelIndexer } from './channels/channel-indexer.ts';
export { holdIndexes } from './channels/hold-indexes.ts';
export { Indexer } from './indexer.ts';
export { rebuildSearch } from './rebuild-search.ts';
