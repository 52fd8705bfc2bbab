/** A part of a text that stands on lines of its own, before the text in it is parsed. */
export type Block =
  | QuoteBlock
  | ListBlock
  | TextBlock
  | HeadingBlock
  | CodeBlock
  | HtmlBlock
  | TableBlock
  | { readonly kind: 'rule' | 'def'; readonly raw: string };

/** A quote, and what it holds. */
export interface QuoteBlock {
  readonly kind: 'quote';
  readonly children: Block[];
  /** Its number of lines. */
  lines: number;
}

/** A list. Items of another mark are another list. */
export interface ListBlock {
  readonly kind: 'list';
  readonly mark: string;
  readonly items: ItemBlock[];
  /** True if its paragraphs stand apart. */
  isLoose: boolean;
}

/** An item, and what it holds. */
export interface ItemBlock {
  readonly kind: 'item';
  readonly list: ListBlock;
  /** The mark before it as it was written. */
  readonly mark: string;
  /** The columns that its other lines are indented by. */
  readonly indent: number;
  readonly children: Block[];
}

/** Lines of a paragraph. */
export interface TextBlock {
  readonly kind: 'text';
  readonly lines: string[];
}

/** A heading. */
export interface HeadingBlock {
  readonly kind: 'heading';
  readonly depth: number;
  readonly text: string;
  readonly raw: string;
}

/** Code in a fence, or code that is indented if there is none. */
export interface CodeBlock {
  readonly kind: 'code';
  readonly fence: string;
  readonly fenceIndent: number;
  readonly lang: string;
  readonly lines: string[];
  /** The fence after it. */
  end?: string;
}

/** HTML, until a line that matches `end`, or a blank one. */
export interface HtmlBlock {
  readonly kind: 'html';
  readonly end: RegExp | undefined;
  readonly lines: string[];
}

/** A table of texts. */
export interface TableBlock {
  readonly kind: 'table';
  readonly align: readonly ('left' | 'center' | 'right' | undefined)[];
  readonly header: readonly string[];
  readonly rows: (readonly string[])[];
  readonly lines: string[];
}

/** A text, and what it holds. */
export interface Root {
  readonly kind: 'root';
  readonly children: Block[];
}

/** A block that holds others, or the whole text. */
export type Container = Root | QuoteBlock | ItemBlock;
