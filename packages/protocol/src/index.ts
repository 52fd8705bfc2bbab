export * from './buckets.ts';
export * from './characters.ts';
export * from './close-reasons.ts';
export * from './errors.ts';
export * from './ids.ts';
export * from './lengths.ts';
export * from './rate-limit-names.ts';
export type * from './schemas.ts';
export * from './version.ts';
