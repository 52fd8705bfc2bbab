import type { en } from './en.ts';

/** What the client says, one object an area; a sentence with something in it is a function. */
export type Catalogue = typeof en;
