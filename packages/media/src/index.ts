export { inspectContent, type ContentFacts } from './inspect-content.ts';
export { readPieces } from './strip/plan.ts';
export { planStrip } from './strip/strip-content.ts';
