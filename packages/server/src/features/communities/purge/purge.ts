export type { PurgeContent } from './purge-communities.ts';
