import type { Block, ItemBlock, TableBlock } from './block.ts';
import { Definitions } from './definitions.ts';
import { BlockParser } from './parse-blocks.ts';
import { parseInline, type InlineContext } from './parse-inline.ts';
import { writtenTokens } from './spoilers.ts';
import { Steps, TooManySteps } from './steps.ts';
import type { ListItemToken, MessageToken, TableCell } from './tokens.ts';

/**
 * The most steps that a text may take, the same on every machine. Each step is about one look at one character, and no text
 * takes more than a fixed number for each of its characters.
 */
export const MOST_STEPS = 1_000_000;

const TASK = /^\[([ xX])\][ \t]+(?=\S)/;

/** A message's text: Markdown in tokens, or the text and its spoilers as they were written. */
export interface MessageText {
  readonly kind: 'markdown' | 'plain';
  readonly tokens: readonly MessageToken[];
}

/**
 * Parses a message's text as GitHub's Markdown in which every line break counts, with ||spoilers|| and no emphasis inside
 * words. The steps of that are counted: a text that takes more than it may is shown as it was written.
 */
export function parseMarkdown(content: string, steps = new Steps(MOST_STEPS)): MessageText {
  try {
    const parser = new BlockParser(steps);
    const blocks = parser.parse(content);
    const tokens = tokensOf(blocks, { definitions: parser.definitions, steps }, false);
    if (tokens.length > 0) return { kind: 'markdown', tokens };
  } catch (error) {
    if (!(error instanceof TooManySteps)) throw error;
  }
  return { kind: 'plain', tokens: writtenTokens(content) };
}

/** The tokens of a text whose blocks do not matter: all of it is one paragraph. */
export function parseText(content: string): readonly MessageToken[] {
  try {
    return parseInline(content, { definitions: new Definitions(), steps: new Steps(MOST_STEPS) });
  } catch (error) {
    if (!(error instanceof TooManySteps)) throw error;
    return writtenTokens(content);
  }
}

function tokensOf(
  blocks: readonly Block[],
  context: InlineContext,
  isTight: boolean,
): readonly MessageToken[] {
  return blocks.map((block) => tokenOf(block, context, isTight));
}

function tokenOf(block: Block, context: InlineContext, isTight: boolean): MessageToken {
  context.steps.take(1);
  switch (block.kind) {
    case 'text': {
      const raw = block.lines.join('\n');
      const tokens = parseInline(raw, context);
      return isTight
        ? { type: 'text', raw, text: raw, tokens }
        : { type: 'paragraph', raw, tokens };
    }
    case 'heading': {
      const { depth, raw } = block;
      return { type: 'heading', raw, depth, tokens: parseInline(block.text, context) };
    }
    case 'quote':
      return { type: 'blockquote', raw: '', tokens: tokensOf(block.children, context, false) };
    case 'list': {
      const items = block.items.map((item) => itemOf(item, context));
      const { start } = block;
      return { type: 'list', raw: '', ordered: /[.)]/.test(block.mark), start, items };
    }
    case 'code': {
      const text = block.lines.join('\n');
      if (block.fence === '') return { type: 'code', raw: text, text: text.trimEnd() };
      const raw = `${block.fence}${block.lang}\n${text}\n${block.fence}`;
      return { type: 'code', raw, text, lang: block.lang };
    }
    case 'html': {
      const raw = block.lines.join('\n');
      return { type: 'html', raw, block: true, tokens: writtenTokens(raw) };
    }
    case 'table':
      return tableOf(block, context);
    case 'rule':
      return { type: 'hr', raw: block.raw };
    case 'def':
      return { type: 'def', raw: block.raw };
  }
}

function itemOf({ list, children }: ItemBlock, context: InlineContext): ListItemToken {
  const [first] = children;
  const text = first?.kind === 'text' ? first.lines.join('\n') : '';
  const [mark, box] = TASK.exec(text) ?? [];
  if (first?.kind !== 'text' || mark === undefined) {
    const tokens = tokensOf(children, context, !list.isLoose);
    return { type: 'list_item', raw: '', task: false, tokens };
  }
  const words = text.slice(mark.length);
  const checkbox = { type: 'checkbox', raw: mark, checked: box !== ' ' } as const;
  const tokens = [checkbox, ...parseInline(words, context)];
  const begin: MessageToken = list.isLoose
    ? { type: 'paragraph', raw: text, tokens }
    : { type: 'text', raw: text, text, tokens };
  const others = tokensOf(children.slice(1), context, !list.isLoose);
  return { type: 'list_item', raw: '', task: true, tokens: [begin, ...others] };
}

function tableOf({ align, header, rows, lines }: TableBlock, context: InlineContext): MessageToken {
  const cellsOf = (texts: readonly string[], isHeader: boolean): TableCell[] =>
    texts.map((text, column) => ({
      align: align[column],
      header: isHeader,
      tokens: parseInline(text, context),
    }));
  return {
    type: 'table',
    raw: lines.join('\n'),
    header: cellsOf(header, true),
    rows: rows.map((row) => cellsOf(row, false)),
  };
}
