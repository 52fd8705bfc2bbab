/** How many characters of a message are shown with a reply to it. */
const EXCERPT_CHARACTERS = 100;

/** How a message begins, as it is shown with a reply to it. */
export function excerptOf(content: string): string {
  const characters = Array.from(content.slice(0, 2 * EXCERPT_CHARACTERS));
  return characters.slice(0, EXCERPT_CHARACTERS).join('');
}
