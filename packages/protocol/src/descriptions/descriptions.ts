/**
 * What clients should know about every object, field and event, for the reference, the OpenAPI documents and `wire.json`. The
 * schemas do not contain it, so that the page of the web client does not load it.
 */
export * from './described.ts';
export * from './errors.ts';
export * from './noun.ts';
export * from './nouns.ts';
