import type { Block, ItemBlock, TableBlock } from './block.ts';
import { Definitions } from './definitions.ts';
import { BlockParser } from './parse-blocks.ts';
import { parseInline, type InlineContext } from './parse-inline.ts';
import { unparsedTokens, writtenTokens } from './spoilers.ts';
import { Steps, TooManySteps } from './steps.ts';
import type { ListItemToken, MessageToken, TableCell } from './tokens.ts';

/**
 * The most steps that a text may take, the same on every machine. Each step is about one look at one character, and no text
 * takes more than a fixed number for each of its characters.
 */
export const MOST_STEPS = 1_000_000;

/** A character that is seen. */
const DRAWN = /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]/u;

const TASK = /^\[([ xX])\][ \t]+(?=\S)/;

/** A message's text: Markdown in tokens, or the text as it was written, covered as a whole if it may have spoilers. */
export interface MessageText {
  readonly kind: 'markdown' | 'plain';
  readonly tokens: readonly MessageToken[];
}

/** The state of a parser. */
interface ParseOptions {
  readonly steps?: Steps;
  /** True if the text goes on: then a spoiler without an end covers the rest of it. */
  readonly isBeginning?: boolean;
}

/**
 * Parses a message's text as GitHub's Markdown in which every line break counts, with ||spoilers|| and no emphasis inside
 * words. The steps of that are counted: a text that takes more than it may is shown as it was written.
 */
export function parseMarkdown(
  content: string,
  { steps = new Steps(MOST_STEPS), isBeginning = false }: ParseOptions = {},
): MessageText {
  try {
    const parser = new BlockParser(content, steps, isBeginning);
    const blocks = parser.parse();
    const { definitions } = parser;
    const tokens = tokensOf(blocks, { definitions, steps, isBeginning }, false);
    if (tokens.some(draws)) return { kind: 'markdown', tokens };
  } catch (error) {
    if (!(error instanceof TooManySteps)) throw error;
  }
  return { kind: 'plain', tokens: unparsedTokens(content) };
}

/** The tokens of a text whose blocks do not matter: all of it is one paragraph. */
export function parseText(content: string): readonly MessageToken[] {
  const steps = new Steps(MOST_STEPS);
  try {
    return parseInline(content, { definitions: new Definitions(), steps, isBeginning: false });
  } catch (error) {
    if (!(error instanceof TooManySteps)) throw error;
    return unparsedTokens(content);
  }
}

/** Checks whether a reader sees anything of a token. */
function draws(token: MessageToken): boolean {
  if (token.type === 'br') return false;
  if (token.type === 'list') return token.items.length > 0;
  if (token.type === 'link' || token.type === 'image') return token.raw !== '';
  if ('tokens' in token && token.tokens !== undefined) return token.tokens.some(draws);
  return 'text' in token ? DRAWN.test(token.text) : true;
}

function tokensOf(
  blocks: readonly Block[],
  context: InlineContext,
  isTight: boolean,
): readonly MessageToken[] {
  return blocks.map((block, at) => tokenOf(block, contextAt(at, blocks, context), isTight));
}

/** The context of one of several parts. Only in the last of them may a spoiler go on after the text. */
function contextAt(at: number, parts: readonly unknown[], context: InlineContext): InlineContext {
  return at === parts.length - 1 || !context.isBeginning
    ? context
    : { ...context, isBeginning: false };
}

function tokenOf(block: Block, context: InlineContext, isTight: boolean): MessageToken {
  context.steps.take(1);
  switch (block.kind) {
    case 'text': {
      const raw = block.lines.join('\n');
      const tokens = parseInline(raw, context);
      if (!tokens.some(draws)) return written(block.lines, context);
      return isTight
        ? { type: 'text', raw, text: raw, tokens }
        : { type: 'paragraph', raw, tokens };
    }
    case 'heading': {
      const { depth, raw } = block;
      const tokens = parseInline(block.text, context);
      if (!tokens.some(draws)) return written(raw.split('\n'), context);
      return { type: 'heading', raw, depth, tokens };
    }
    case 'quote': {
      const tokens = tokensOf(block.children, context, false);
      return tokens.length === 0
        ? written(Array<string>(block.lines).fill('>'), context)
        : { type: 'blockquote', raw: '', tokens };
    }
    case 'list': {
      const items = block.items.map((item, at) =>
        itemOf(item, contextAt(at, block.items, context)),
      );
      return { type: 'list', raw: '', ordered: /[.)]/.test(block.mark), items };
    }
    case 'code': {
      const text = block.lines.join('\n');
      if (block.fence === '') return { type: 'code', raw: text, text: text.trimEnd() };
      const { fence, end, lines } = block;
      if (text.trim() === '') {
        const all = [`${fence}${block.lang}`, ...lines, ...(end === undefined ? [] : [end])];
        return written(all, context);
      }
      const raw = `${fence}${block.lang}\n${text}\n${fence}`;
      return { type: 'code', raw, text, lang: block.lang };
    }
    case 'html': {
      const raw = block.lines.join('\n');
      return { type: 'html', raw, block: true, tokens: writtenTokens(raw, context.isBeginning) };
    }
    case 'table':
      return tableOf(block, context);
    case 'rule':
      return { type: 'hr', raw: block.raw };
    case 'def':
      return { type: 'def', raw: block.raw };
  }
}

/** A paragraph of what was written, without marks in it. */
function written(lines: readonly string[], context: InlineContext): MessageToken {
  const tokens = lines.flatMap((line, at): readonly MessageToken[] => {
    const shown = writtenTokens(line, contextAt(at, lines, context).isBeginning);
    return at === 0 ? shown : [{ type: 'br', raw: '\n' }, ...shown];
  });
  return { type: 'paragraph', raw: lines.join('\n'), tokens };
}

function itemOf({ list, mark: given, children }: ItemBlock, context: InlineContext): ListItemToken {
  const [first] = children;
  const number = /^\d/.test(given) ? { number: Number.parseInt(given, 10) } : {};
  const own = { type: 'list_item', raw: '', mark: given, ...number } as const;
  const text = first?.kind === 'text' ? first.lines.join('\n') : '';
  const [mark, box] = TASK.exec(text) ?? [];
  if (first?.kind !== 'text' || mark === undefined) {
    const tokens = tokensOf(children, context, !list.isLoose);
    return { ...own, task: false, tokens };
  }
  const words = text.slice(mark.length);
  const checkbox = { type: 'checkbox', raw: mark, checked: box !== ' ' } as const;
  const tokens = [checkbox, ...parseInline(words, contextAt(0, children, context))];
  const begin: MessageToken = list.isLoose
    ? { type: 'paragraph', raw: text, tokens }
    : { type: 'text', raw: text, text, tokens };
  const others = tokensOf(children.slice(1), context, !list.isLoose);
  return { ...own, task: true, tokens: [begin, ...others] };
}

function tableOf({ align, header, rows, lines }: TableBlock, context: InlineContext): MessageToken {
  const cellsOf = (texts: readonly string[], isHeader: boolean): TableCell[] =>
    texts.map((text, column) => ({
      align: align[column],
      header: isHeader,
      tokens: parseInline(text, { ...context, isBeginning: false, isInCell: true }),
    }));
  return {
    type: 'table',
    raw: lines.join('\n'),
    header: cellsOf(header, true),
    rows: rows.map((row) => cellsOf(row, false)),
  };
}
