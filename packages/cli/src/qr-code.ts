/** The size of a terminal's window, in characters. */
export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** Readers need some light space around a code. */
const BORDER = 2;

/** A longer address needs a code that fits into no window. */
const LONGEST_ADDRESS = 500;

const INDENT = '  ';

/** Black on white, whatever the colours of the terminal are: not every reader knows inverted codes. */
const COLOURS = '\u001B[30;107m';
const USUAL_COLOURS = '\u001B[0m';

/** The QR code of an address as lines for a terminal; undefined if it does not fit into the window. */
export async function qrCode(
  address: string,
  { columns, rows }: TerminalSize,
): Promise<string | undefined> {
  if (address.length > LONGEST_ADDRESS) return undefined;
  // Only here, because most starts need none.
  const { encode } = await import('uqr');
  const { data } = encode(address, { ecc: 'L', border: BORDER });
  const lines: string[] = [];
  for (let at = 0; at < data.length; at += 2) {
    const [upper = [], lower = []] = [data[at], data[at + 1]];
    const halves = upper.map((isBlack, column) => block(isBlack, lower[column] ?? false));
    lines.push(`${INDENT}${COLOURS}${halves.join('')}${USUAL_COLOURS}`);
  }
  const isFitting = data.length + INDENT.length <= columns && lines.length < rows;
  return isFitting ? lines.join('\n') : undefined;
}

function block(isUpperBlack: boolean, isLowerBlack: boolean): string {
  if (isUpperBlack) return isLowerBlack ? '█' : '▀';
  return isLowerBlack ? '▄' : ' ';
}
