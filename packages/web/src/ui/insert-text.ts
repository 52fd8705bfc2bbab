/** A part of the text of a box, in UTF-16 units. */
interface Part {
  readonly start: number;
  readonly end: number;
}

/**
 * Replaces a part of the text of a box, and puts the cursor after it. The reader can undo this like what was typed, and what
 * was typed before it: a text that a script sets ends the browser's history.
 */
export function insertText(
  box: HTMLTextAreaElement | HTMLInputElement,
  { start, end }: Part,
  text: string,
): void {
  box.focus({ preventScroll: true });
  box.setSelectionRange(start, end);
  // The only way into that history, in all browsers.
  if (document.execCommand('insertText', false, text)) return;
  box.setRangeText(text, start, end, 'end');
  box.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertReplacementText' }));
}
