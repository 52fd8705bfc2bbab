export { INDEXED_KINDS, type IndexedKind } from './indexed-kind.ts';
export { forgetNoted, noteChanged, noteNew, selectNoted, type Noted } from './store.ts';
