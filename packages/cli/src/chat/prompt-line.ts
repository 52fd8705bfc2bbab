/** A line that is being edited, and the width of its terminal. */
export interface EditedLine {
  readonly prompt: string;
  readonly line: string;
  /** An index of `line`. */
  readonly cursor: number;
  /** Undefined or 0 if the terminal does not report it. */
  readonly columns: number | undefined;
}

const USUAL_COLUMNS = 80;

/** The largest share of the columns for the prompt. */
const PROMPT_SHARE = 1 / 2;

/** The largest share of the remaining columns that is kept for the text after the cursor. */
const AFTER_SHARE = 1 / 3;

/** Every character from here on counts as a wide one. Those that are narrow leave some columns empty. */
const FIRST_WIDE = 0x1100;

const ZERO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]$/u;

/** The row that the terminal shows: the prompt, then the part of the line around the cursor. */
export function promptLine({ prompt, line, cursor, columns }: EditedLine): {
  readonly beforeCursor: string;
  readonly afterCursor: string;
} {
  // A character in the last column may already begin the next row.
  const room = (columns === undefined || columns === 0 ? USUAL_COLUMNS : columns) - 1;
  const lead = widthOf(prompt) <= room * PROMPT_SHARE ? prompt : '> ';
  const left = room - widthOf(lead);
  const after = Array.from(line.slice(cursor));
  const kept = Math.min(widthOf(after), Math.floor(left * AFTER_SHARE));
  const before = fitting(Array.from(line.slice(0, cursor)).toReversed(), left - kept).toReversed();
  return {
    beforeCursor: `${lead}${before.join('')}`,
    afterCursor: fitting(after, left - widthOf(before)).join(''),
  };
}

/** The first of `characters` that fit into `room` columns. */
function fitting(characters: readonly string[], room: number): readonly string[] {
  let width = 0;
  const end = characters.findIndex((character) => {
    width += characterWidth(character);
    return width > room;
  });
  return end === -1 ? characters : characters.slice(0, end);
}

function widthOf(text: Iterable<string>): number {
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width;
}

function characterWidth(character: string): number {
  if (ZERO_WIDTH.test(character)) return 0;
  return (character.codePointAt(0) ?? 0) < FIRST_WIDE ? 1 : 2;
}
