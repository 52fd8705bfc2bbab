/**
 * How PDF, PostScript, Rich Text and GIF begin. They are made for a program to show, and not for people to read,
 * although all of their bytes may be text (of a GIF that is cut off). `%!` alone also begins notes for TeX editors.
 */
const MARKS: readonly string[] = ['%PDF-', '%!PS', String.raw`{\rtf`, 'GIF87a', 'GIF89a'];

/** Whether a file that begins with these bytes is for a program, whether or not all of it is text. */
export function isForPrograms(head: Buffer): boolean {
  return MARKS.some((mark) => head.toString('latin1', 0, mark.length) === mark);
}
