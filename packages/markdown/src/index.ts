export * from './markdown-cache.ts';
export * from './parse-markdown.ts';
export * from './safe-link.ts';
export * from './spoilers.ts';
export * from './steps.ts';
export * from './tokens.ts';
