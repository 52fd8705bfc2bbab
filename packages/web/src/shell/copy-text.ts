/** Puts `value` on the clipboard; whether that worked. Pages that did not come over HTTPS have the older way only. */
export async function copyText(value: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(value);
    return true;
  } catch {
    return copyByEvent(value);
  }
}

function copyByEvent(value: string): boolean {
  const fill = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', value);
    event.preventDefault();
  };
  document.addEventListener('copy', fill);
  try {
    return document.execCommand('copy');
  } finally {
    document.removeEventListener('copy', fill);
  }
}
