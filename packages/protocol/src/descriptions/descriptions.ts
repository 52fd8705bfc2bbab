/**
 * Descriptions of every object, field and event for people who write clients: for the reference, the OpenAPI documents and
 * `wire.json`. The schemas do not contain them, so that the page of the web client does not load them.
 */
export * from './codes.ts';
export * from './described.ts';
export * from './errors.ts';
export * from './noun.ts';
export * from './nouns.ts';
export * from './objects.ts';
