const VARIATION_SELECTORS = /[\uFE00-\uFE0F]/g;

/** A character that is drawn in colour only if a variation selector or a skin tone follows. */
const DRAWN_AS_TEXT = /(?!\p{Emoji_Presentation})\p{Emoji}(?![\u{1F3FB}-\u{1F3FF}])/gu;

// Compiled on use: engines without sets of strings in expressions refuse it.
const EMOJI = '^\\p{RGI_Emoji}$';

/** The longest emoji, in UTF-16 units, with room for later versions of Unicode. */
const MOST_LENGTH = 64;

/**
 * The name of an emoji on the wire: the emoji without variation selectors. Undefined if the text is not exactly one
 * emoji.
 *
 * @example emojiIn('❤️') // '❤'
 */
export function emojiIn(text: string): string | undefined {
  if (text.length > MOST_LENGTH) return undefined;
  const emoji = text.replaceAll(VARIATION_SELECTORS, '');
  return new RegExp(EMOJI, 'v').test(drawnEmoji(emoji)) ? emoji : undefined;
}

/** An emoji with the variation selectors that draw it in colour. */
export function drawnEmoji(emoji: string): string {
  return emoji.replaceAll(VARIATION_SELECTORS, '').replaceAll(DRAWN_AS_TEXT, '$&\uFE0F');
}
