/**
 * How PDF, PostScript and Rich Text begin: made for a program to show, and not for people to read, although all of
 * their bytes may be text. `%!` alone also begins notes for TeX editors.
 */
const MARKS: readonly string[] = ['%PDF-', '%!PS', String.raw`{\rtf`];

/** Whether a file that begins with these bytes is a document, whether or not it is text throughout. */
export function isDocument(head: Buffer): boolean {
  return MARKS.some((mark) => head.toString('latin1', 0, mark.length) === mark);
}
