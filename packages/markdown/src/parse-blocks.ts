import type {
  Block,
  CodeBlock,
  Container,
  HtmlBlock,
  ItemBlock,
  QuoteBlock,
  Root,
  TextBlock,
} from './block.ts';
import * as starts from './block-starts.ts';
import { addRow, addToCode, CODE_INDENT } from './leaf-lines.ts';
import { Line } from './line.ts';
import { Definitions, takeDefinitions } from './definitions.ts';
import { OpenSpoilers } from './open-spoilers.ts';
import type { Steps } from './steps.ts';
import { DEEPEST } from './tokens.ts';

/** Short rows are filled with as many empty cells in a text. A few columns and many rows would make more than linear work. */
const MOST_FILLED_CELLS = 1_000;

/** Divides a text into blocks, line by line, and collects the definitions of addresses. */
export class BlockParser {
  readonly definitions = new Definitions();
  readonly #steps: Steps;
  readonly #root: Root = { kind: 'root', children: [] };
  /** The containers that are open, the outermost first. */
  readonly #open: Container[] = [this.#root];
  /** The block that the next line may go on with, in the innermost of them. */
  #leaf: Block | undefined;
  #isAfterBlank = false;
  #filledCells = 0;
  /** The number of the line that is added. */
  #line = 0;
  readonly #lines: readonly string[];
  readonly #spoilers: OpenSpoilers;

  /** @param isBeginning - whether the text goes on, so that a spoiler without an end covers the rest of it */
  constructor(text: string, steps: Steps, isBeginning: boolean) {
    steps.take(2 * text.length);
    this.#steps = steps;
    this.#lines = text.replaceAll(/\r\n?/g, '\n').replace(/\n$/, '').split('\n');
    this.#spoilers = new OpenSpoilers(this.#lines, { isBeginning, steps });
  }

  parse(): readonly Block[] {
    for (const [at, line] of this.#lines.entries()) {
      this.#line = at;
      this.#add(new Line(line, this.#steps));
    }
    this.#endLeaf();
    return this.#root.children;
  }

  #add(line: Line): void {
    this.#steps.take(1);
    let matched = 1;
    while (matched < this.#open.length && this.#goesOn(matched, line)) matched += 1;
    const isWhole = matched === this.#open.length;
    if (this.#spoilers.covers(this.#line)) return this.#addWords(line);
    if (isWhole && this.#goOn(line)) return;
    const isInText = this.#leaf?.kind === 'text';
    if (line.isBlank) {
      this.#endContainers(matched);
      this.#endLeaf();
      this.#isAfterBlank = this.#open.at(-1)?.kind !== 'quote';
      return;
    }
    const opened = this.#openAll(line, matched);
    if (opened === 'leaf' || line.isBlank) return;
    // Lazy continuation: it needs no marks of quotes, and no indentation.
    if (opened !== 'nothing' || !isInText || this.#leaf?.kind !== 'text') {
      this.#endContainers(opened === 'nothing' ? matched : this.#open.length);
      this.#begin({ kind: 'text', lines: [] });
    }
    this.#addWords(line);
  }

  /** Adds a line to the open text, or to the HTML in which a spoiler goes on, whatever else would begin in the line. */
  #addWords(line: Line): void {
    const leaf = this.#leaf;
    if (leaf?.kind !== 'text' && leaf?.kind !== 'html') return;
    const words = line.words.trimEnd();
    leaf.lines.push(words);
    this.#spoilers.add(words);
    this.#isAfterBlank = false;
  }

  /** Checks whether a line continues an open container. */
  #goesOn(at: number, line: Line): boolean {
    this.#steps.take(1);
    const container = this.#open[at];
    if (container?.kind === 'quote') {
      if (line.indent >= CODE_INDENT || line.first !== '>') return false;
      line.takeQuoteMark();
      container.lines += 1;
      return true;
    }
    if (container?.kind !== 'item') return false;
    if (line.isBlank) return container.children.length > 0;
    if (line.indent < container.indent) return false;
    line.takeIndent(container.indent);
    return true;
  }

  /** Checks whether the open block takes the line, regardless of its content. */
  #goOn(line: Line): boolean {
    const leaf = this.#leaf;
    if (leaf?.kind === 'code') return this.#goOnWithCode(leaf, line);
    if (leaf?.kind === 'html') return this.#goOnWithHtml(leaf, line);
    return false;
  }

  #goOnWithCode(code: CodeBlock, line: Line): boolean {
    const { isBlank } = line;
    const added = addToCode(code, line, this.#steps);
    if (added === 'over') return false;
    if (added === 'ended') this.#leaf = undefined;
    this.#isAfterBlank = code.fence === '' && isBlank;
    return true;
  }

  #goOnWithHtml(html: HtmlBlock, line: Line): boolean {
    if (html.end === undefined && line.isBlank) return false;
    this.#addHtml(html, line);
    return true;
  }

  #addHtml(html: HtmlBlock, line: Line): void {
    const text = line.rest;
    this.#steps.take(text.length);
    html.lines.push(text);
    this.#spoilers.add(text);
    if (html.end?.test(text) === true) this.#leaf = undefined;
    this.#isAfterBlank = false;
  }

  /** Opens the containers that begin in a line, and the block that does if it is no paragraph. */
  #openAll(line: Line, matched: number): 'leaf' | 'containers' | 'nothing' {
    let opened: 'containers' | 'nothing' = 'nothing';
    const isWhole = matched === this.#open.length;
    for (;;) {
      // A paragraph that is in the same container as the line.
      const text =
        opened === 'nothing' && isWhole && this.#leaf?.kind === 'text' ? this.#leaf : undefined;
      const depth = opened === 'nothing' ? matched : this.#open.length;
      if (line.isBlank) return opened;
      if (line.indent >= CODE_INDENT) {
        if (opened === 'nothing' && this.#leaf?.kind === 'text') return opened;
        return this.#beginIndented(line, depth);
      }
      if (this.#beginLeaf(line, depth, text)) return 'leaf';
      if (depth > DEEPEST + 1 || !this.#beginContainer(line, depth, text)) return opened;
      opened = 'containers';
    }
  }

  #beginIndented(line: Line, depth: number): 'leaf' {
    this.#endContainers(depth);
    line.takeIndent(CODE_INDENT);
    const lines = [line.rest];
    this.#steps.take(line.rest.length);
    this.#begin({ kind: 'code', fence: '', fenceIndent: 0, lang: '', lines });
    this.#isAfterBlank = false;
    return 'leaf';
  }

  #beginLeaf(line: Line, depth: number, text: TextBlock | undefined): boolean {
    const { words, indent } = line;
    if (this.#goOnWithTable(line, depth) || this.#changeText(words, text)) return true;
    const steps = this.#steps;
    const isInText = this.#leaf?.kind === 'text';
    const block: Block | undefined =
      starts.headingIn(words, steps) ??
      starts.fenceIn(words, indent, steps) ??
      starts.htmlIn(words, isInText, steps) ??
      (starts.isRule(words, steps) ? { kind: 'rule', raw: words } : undefined);
    if (block === undefined) return false;
    const isText = block.kind === 'heading' && this.#spoilers.leaveOpen(block.text, this.#line + 1);
    this.#endContainers(depth);
    this.#begin(isText ? { kind: 'text', lines: [words.trimEnd()] } : block);
    if (isText) this.#spoilers.add(words);
    if (block.kind === 'html') this.#addHtml(block, line);
    this.#isAfterBlank = false;
    return true;
  }

  /** Makes a heading of a paragraph, or a table of its last line. */
  #changeText(words: string, text: TextBlock | undefined): boolean {
    if (text === undefined) return false;
    const siblings = this.#open.at(-1)?.children ?? [];
    const table = starts.tableIn(text.lines.at(-1) ?? '', words, this.#steps);
    if (table !== undefined) {
      text.lines.pop();
      this.#endLeaf();
      siblings.push(table);
      this.#leaf = table;
      return true;
    }
    const depth = starts.underlineIn(words, this.#steps);
    if (depth === undefined) return false;
    this.#endLeaf();
    if (text.lines.length === 0) return false;
    siblings.pop();
    const title = text.lines.join('\n');
    this.#steps.take(title.length);
    siblings.push({ kind: 'heading', depth, text: title, raw: `${title}\n${words}` });
    return true;
  }

  /** Checks whether the line is a row of the open table, and nothing else begins in it. */
  #goOnWithTable(line: Line, depth: number): boolean {
    const table = this.#leaf;
    if (table?.kind !== 'table' || depth !== this.#open.length || line.isBlank) return false;
    const { words, indent } = line;
    const steps = this.#steps;
    if (line.first === '>' || starts.endsTable(words, indent, steps)) return false;
    if (this.#spoilers.leaveOpen(words, this.#line + 1)) return false;
    const mostFilled = MOST_FILLED_CELLS - this.#filledCells;
    this.#filledCells += addRow(table, words, { mostFilled, steps });
    this.#isAfterBlank = false;
    return true;
  }

  #beginContainer(line: Line, depth: number, text: TextBlock | undefined): boolean {
    if (line.first === '>') {
      this.#endContainers(depth);
      line.takeQuoteMark();
      const quote: QuoteBlock = { kind: 'quote', children: [], lines: 1 };
      this.#begin(quote);
      this.#open.push(quote);
      this.#leaf = undefined;
      return true;
    }
    const mark = starts.listMarkIn(line.words);
    if (mark === undefined) return false;
    const { indent } = line;
    const { length } = mark.mark;
    const isEmpty = line.words.slice(length).trim() === '';
    this.#steps.take(isEmpty ? line.words.length : 1);
    // A mark alone is text.
    if (isEmpty || (text !== undefined && !mark.endsText)) return false;
    const before = this.#open[depth];
    const known =
      before?.kind === 'item' && before.list.mark === mark.kind ? before.list : undefined;
    this.#endContainers(depth);
    line.takeMark(length);
    const spaces = line.indent;
    const padding = spaces > CODE_INDENT ? 1 : spaces;
    line.takeIndent(padding);
    this.#beginItem(mark, { known, indent: indent + length + padding });
    return true;
  }

  #beginItem(
    mark: starts.ListMark,
    { known, indent }: { readonly known: ItemBlock['list'] | undefined; readonly indent: number },
  ): void {
    const list = known ?? starts.newList(mark);
    if (known === undefined) this.#begin(list);
    else if (this.#isAfterBlank) list.isLoose = true;
    const item: ItemBlock = { kind: 'item', list, mark: mark.mark, indent, children: [] };
    list.items.push(item);
    this.#open.push(item);
    this.#leaf = undefined;
    this.#isAfterBlank = false;
  }

  /** Begins a block in the innermost container. */
  #begin(block: Block): void {
    this.#endLeaf();
    const container = this.#open.at(-1);
    if (container === undefined) return;
    if (container.kind === 'item' && this.#isAfterBlank && container.children.length > 0) {
      container.list.isLoose = true;
    }
    container.children.push(block);
    this.#leaf = block;
  }

  #endContainers(depth: number): void {
    if (depth >= this.#open.length) return;
    this.#endLeaf();
    this.#steps.take(this.#open.length - depth);
    this.#open.length = depth;
  }

  /** Ends the open block. Definitions at the beginning of a paragraph are none of its text. */
  #endLeaf(): void {
    const text = this.#leaf;
    this.#leaf = undefined;
    this.#spoilers.end();
    if (text?.kind !== 'text') return;
    const siblings = this.#open.at(-1)?.children;
    const defs = takeDefinitions(text.lines, this.definitions, this.#steps);
    if (siblings?.at(-1) !== text) return;
    const rest = text.lines.length > 0 ? [text] : [];
    siblings.splice(-1, 1, ...defs.map((raw) => ({ kind: 'def', raw }) as const), ...rest);
  }
}
