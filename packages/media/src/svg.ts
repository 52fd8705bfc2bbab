/**
 * The beginnings of PDF, PostScript, Rich Text and GIF. They are made for a program to show, and not for people to
 * read, although all of their bytes may be text (of a GIF that is cut off). `%!` alone also begins notes for TeX
 * editors.
 */
const MARKS: readonly string[] = ['%PDF-', '%!PS', String.raw`{\rtf`, 'GIF87a', 'GIF89a'];

/** Returns whether a file that begins with these bytes is for a program, whether or not all of it is text. */
export function isForPrograms(head: Buffer): boolean {
  return MARKS.some((mark) => head.toString('latin1', 0, mark.length) === mark);
}

const SPACES = ' \t\r\n';

/** Returns whether text that begins with these bytes is an SVG image: its first element is `svg`. */
export function isSvg(head: Uint8Array): boolean {
  const text = new TextDecoder().decode(head); // drops a byte order mark
  let at = skipSpaces(text, 0);
  for (;;) {
    const next = skipProlog(text, at);
    if (next === at) break;
    at = skipSpaces(text, next);
  }
  const after = text.charAt(at + '<svg'.length);
  return text.startsWith('<svg', at) && after !== '' && `${SPACES}/>`.includes(after);
}

function skipSpaces(text: string, start: number): number {
  let at = start;
  while (at < text.length && SPACES.includes(text.charAt(at))) at += 1;
  return at;
}

/** Returns where the XML declaration, instruction, comment or doctype of SVG at `at` ends; `at` if there is none. */
function skipProlog(text: string, at: number): number {
  if (text.startsWith('<?', at)) return endOf(text, '?>', at);
  if (text.startsWith('<!--', at)) return endOf(text, '-->', at + '<!--'.length);
  // a doctype of HTML makes the page HTML, whatever it begins with
  if (!text.startsWith('<!DOCTYPE svg', at)) return at;
  const close = text.indexOf('>', at);
  const subset = text.indexOf('[', at);
  return subset === -1 || subset > close
    ? endOf(text, '>', at)
    : endOf(text, '>', text.indexOf(']', subset));
}

/** The end of the text if there is no such mark: nothing follows that could be an element. */
function endOf(text: string, mark: string, from: number): number {
  const found = from === -1 ? -1 : text.indexOf(mark, from);
  return found === -1 ? text.length : found + mark.length;
}
