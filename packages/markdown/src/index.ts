export { webAddressesIn } from './addresses.ts';
export { directionOf, directionOfText, type Direction } from './direction.ts';
export { beginningOf, fold } from './fold.ts';
export { MarkdownCache } from './markdown-cache.ts';
export { namingTexts } from './named-texts.ts';
export { OpenSpoilers } from './open-spoilers.ts';
export { parseMarkdown, parseText, type MessageText } from './parse-markdown.ts';
export {
  excerptOf,
  firstCharacters,
  lineText,
  parseBeginning,
  plainLines,
  plainText,
  shortened,
  withEllipsis,
  type PlainLine,
} from './plain-text.ts';
export { safeLink } from './safe-link.ts';
export { HIDDEN_SPOILER, withoutSpoilers } from './spoilers.ts';
export type {
  CodeToken,
  LinkToken,
  ListItemToken,
  ListToken,
  MessageToken,
  TableCell,
  TableToken,
  TextToken,
} from './tokens.ts';
