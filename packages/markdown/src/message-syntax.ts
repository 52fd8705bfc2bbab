import { Tokenizer, type MarkedOptions, type Tokens } from 'marked';

/** Text that is hidden until the reader asks for it, written as ||text||. */
export interface SpoilerToken {
  readonly type: 'spoiler';
  readonly raw: string;
  readonly tokens: Tokens.Generic[];
}

/** A letter or digit of a script that separates words by spaces. */
const IN_WORD = String.raw`(?![\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}])[\p{L}\p{N}]`;
const ENDS_IN_WORD = new RegExp(`${IN_WORD}$`, 'u');
const BEGINS_IN_WORD = new RegExp(`^${IN_WORD}`, 'u');
/** The source of a regular expression for spoilers; what they hide is its group. */
export const SPOILER_SOURCE = String.raw`\|\|(?=[^\s|])((?:(?!\|\|).)*[^\s|])\|\|(?!\|)`;

const SPOILER = new RegExp(`^${SPOILER_SOURCE}`, 's');

/** Leaves what people write in a chat as it is: 2*3*4, snake*case*names and ~10 minutes. */
export class MessageTokenizer extends Tokenizer {
  override emStrong(
    src: string,
    maskedSrc: string,
    prevChar = '',
  ): Tokens.Em | Tokens.Strong | undefined {
    // A run of marks after a word is refused as a whole.
    if (ENDS_IN_WORD.test(prevChar) || prevChar === src[0]) return undefined;
    const token = super.emStrong(src, maskedSrc, prevChar);
    const rest = token === undefined ? '' : src.slice(token.raw.length);
    return BEGINS_IN_WORD.test(rest) ? undefined : token;
  }

  override del(...given: Parameters<Tokenizer['del']>): Tokens.Del | undefined {
    return given[0].startsWith('~~') ? super.del(...given) : undefined;
  }
}

/** Recognises spoilers. */
export const spoilers: NonNullable<MarkedOptions['extensions']> = {
  inline: [
    function (src) {
      const [raw, text] = SPOILER.exec(src) ?? [];
      if (raw === undefined || text === undefined) return undefined;
      return { type: 'spoiler', raw, tokens: this.lexer.inlineTokens(text) };
    },
  ],
  startInline: [(src) => src.indexOf('||')],
  renderers: {},
  childTokens: {},
};
