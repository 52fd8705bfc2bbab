export { countOf, requireEmoji, requireRoom, withChange } from './counted.ts';
