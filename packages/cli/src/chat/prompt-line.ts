/** A line that is edited, and the room for it. */
export interface EditedLine {
  readonly prompt: string;
  readonly line: string;
  /** An index of `line`. */
  readonly cursor: number;
  /** Undefined or 0 where the terminal does not tell. */
  readonly columns: number | undefined;
}

const USUAL_COLUMNS = 80;

/** Most of the columns that the prompt may take. */
const PROMPT_SHARE = 1 / 2;

/** Most of the rest that is kept for what is behind the cursor. */
const BEHIND_SHARE = 1 / 3;

/** Every character from here on counts as a wide one: those that are not leave some room, which is no harm. */
const FIRST_WIDE = 0x1100;

const ZERO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]$/u;

/** What is seen on one row of the terminal: the part of the line around the cursor, with the prompt before it. */
export function promptLine({ prompt, line, cursor, columns }: EditedLine): {
  readonly beforeCursor: string;
  readonly behindCursor: string;
} {
  // In the last column a terminal may begin the next row already.
  const room = (columns === undefined || columns === 0 ? USUAL_COLUMNS : columns) - 1;
  const lead = widthOf(prompt) <= room * PROMPT_SHARE ? prompt : '> ';
  const left = room - widthOf(lead);
  const behind = Array.from(line.slice(cursor));
  const kept = Math.min(widthOf(behind), Math.floor(left * BEHIND_SHARE));
  const before = fitting(Array.from(line.slice(0, cursor)).toReversed(), left - kept).toReversed();
  return {
    beforeCursor: `${lead}${before.join('')}`,
    behindCursor: fitting(behind, left - widthOf(before)).join(''),
  };
}

/** As many of `characters` as have room, from the first one. */
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
