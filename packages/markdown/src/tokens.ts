/** Text that is hidden until the reader asks for it, written as ||text||. */
export interface SpoilerToken {
  readonly type: 'spoiler';
  readonly raw: string;
  /** Set in the beginning of a text, if the spoiler goes on after it. */
  readonly isOpen?: true;
  readonly tokens: readonly MessageToken[];
}

/** Text as it is shown. In a tight list it is a block, and `tokens` are its parts. */
export interface TextToken {
  readonly type: 'text' | 'escape';
  readonly raw: string;
  readonly text: string;
  readonly tokens?: readonly MessageToken[];
}

/** Text that looks like HTML, and is shown as it was written. */
export interface HtmlToken {
  readonly type: 'html';
  readonly raw: string;
  readonly block: boolean;
  /** Its text and spoilers. */
  readonly tokens: readonly MessageToken[];
}

/** Code in a line or in a block; `lang` is what follows the fence. */
export interface CodeToken {
  readonly type: 'code' | 'codespan';
  readonly raw: string;
  readonly text: string;
  readonly lang?: string;
}

/** A link; `text` is its source, without what spoilers hide. */
export interface LinkToken {
  readonly type: 'link' | 'image';
  readonly raw: string;
  readonly href: string;
  readonly text: string;
  /** Set if its text is the address itself, which names nobody. */
  readonly isAddress?: true;
  readonly tokens: readonly MessageToken[];
}

/** A list of items. */
export interface ListToken {
  readonly type: 'list';
  readonly raw: string;
  readonly ordered: boolean;
  readonly items: readonly ListItemToken[];
}

/** An item; in a list of tasks it begins with a checkbox. */
export interface ListItemToken {
  readonly type: 'list_item';
  readonly raw: string;
  /** Its mark as it was written, such as `18.`, and the number in it. */
  readonly mark: string;
  readonly number?: number;
  readonly task: boolean;
  readonly tokens: readonly MessageToken[];
}

/** A cell of a table. */
export interface TableCell {
  readonly align: 'left' | 'center' | 'right' | undefined;
  readonly header: boolean;
  readonly tokens: readonly MessageToken[];
}

/** A table; a row has as many cells as the header. */
export interface TableToken {
  readonly type: 'table';
  readonly raw: string;
  readonly header: readonly TableCell[];
  readonly rows: readonly (readonly TableCell[])[];
}

/** A token that only holds others. */
export interface ParentToken {
  readonly type: 'paragraph' | 'blockquote' | 'strong' | 'em' | 'del';
  readonly raw: string;
  readonly tokens: readonly MessageToken[];
}

/** A heading of level `depth`. */
export interface HeadingToken {
  readonly type: 'heading';
  readonly raw: string;
  readonly depth: number;
  readonly tokens: readonly MessageToken[];
}

/** The box of a task. */
export interface CheckboxToken {
  readonly type: 'checkbox';
  readonly raw: string;
  readonly checked: boolean;
}

/** A line break, a rule, or the definition of an address that links name. */
export interface BareToken {
  readonly type: 'br' | 'hr' | 'def';
  readonly raw: string;
}

/** A part of a message's text. `raw` is what was written; blocks that hold blocks have none. */
export type MessageToken =
  | BareToken
  | CheckboxToken
  | CodeToken
  | HeadingToken
  | HtmlToken
  | LinkToken
  | ListItemToken
  | ListToken
  | ParentToken
  | SpoilerToken
  | TableToken
  | TextToken;

/** Blocks are nested one level deeper, and so are links and emphasis: marks of what is nested deeper are text. */
export const DEEPEST = 8;

/** The tokens that a token holds, those of items and cells, too. */
export function tokensIn(token: MessageToken): readonly MessageToken[] {
  if (token.type === 'list') return token.items;
  if (token.type === 'table') {
    return [token.header, ...token.rows].flat().flatMap(({ tokens }) => tokens);
  }
  return ('tokens' in token ? token.tokens : undefined) ?? [];
}
