import { excerptOf, firstCharacters } from '@hearth/markdown';

/** The number of characters of a message that are shown with a reply to it. */
const EXCERPT_CHARACTERS = 100;

/** The beginning of a message in plain text, as it is shown with a reply to it. A card has a title, which is no Markdown. */
export function messageExcerpt({
  content,
  isCard,
}: {
  readonly content: string;
  readonly isCard: boolean;
}): string {
  if (isCard) return firstCharacters(content, EXCERPT_CHARACTERS);
  return excerptOf(content, EXCERPT_CHARACTERS, { isOwn: true }).text;
}
