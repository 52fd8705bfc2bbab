export type { Tokens } from 'marked';
export * from './message-syntax.ts';
export * from './parse-document.ts';
export * from './parse-markdown.ts';
export * from './safe-link.ts';
export * from './spoilers.ts';
