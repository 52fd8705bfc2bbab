export { rebuildCounters } from './rebuild-counters.ts';
