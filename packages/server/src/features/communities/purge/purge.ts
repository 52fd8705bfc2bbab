export type { PurgeContent } from './purge-content.ts';
