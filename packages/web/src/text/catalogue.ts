import type { en } from './en.ts';

/** The client's texts, one object per area; a text with values in it is a function. */
export type Catalogue = typeof en;
