import type { CodeBlock, TableBlock } from './block.ts';
import { cellsOf, endsFence } from './block-starts.ts';
import type { Line } from './line.ts';
import type { Steps } from './steps.ts';

/** Code that needs no fence is indented by as many columns. */
export const CODE_INDENT = 4;

/** Adds a line to code, unless the code is over before it. */
export function addToCode(code: CodeBlock, line: Line, steps: Steps): 'added' | 'ended' | 'over' {
  if (code.fence === '') {
    if (!line.isBlank && line.indent < CODE_INDENT) return 'over';
    line.takeIndent(CODE_INDENT);
    addLine(code, line, steps);
    return 'added';
  }
  if (line.indent < CODE_INDENT && endsFence(line.words, code.fence, steps)) {
    code.end = line.words.trimEnd();
    return 'ended';
  }
  line.takeIndent(code.fenceIndent);
  addLine(code, line, steps);
  return 'added';
}

function addLine(code: CodeBlock, line: Line, steps: Steps): void {
  const { rest } = line;
  steps.take(rest.length);
  code.lines.push(rest);
}

/** Adds a row to a table, with at most so many empty cells if it is short. Returns how many were added. */
export function addRow(
  table: TableBlock,
  words: string,
  { mostFilled, steps }: { readonly mostFilled: number; readonly steps: Steps },
): number {
  const cells = cellsOf(words, steps).slice(0, table.align.length);
  const filled = Math.max(0, Math.min(table.align.length - cells.length, mostFilled));
  steps.take(filled);
  table.rows.push([...cells, ...Array<string>(filled).fill('')]);
  table.lines.push(words);
  return filled;
}
