import { UNSAFE_CHARACTERS } from '@hearth/protocol';

const MAX_BYTES = 255;

/** The name of a file when nothing is left of its own. */
const NAMELESS = 'file';

const encoder = new TextEncoder();

/**
 * A name that is safe to store and to offer: the last component of a path of either kind, without characters that
 * break lines or reverse text, at most 255 bytes of UTF-8.
 */
export function safeFileName(name: string): string {
  const lastComponent = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
  const visible = lastComponent.toWellFormed().replaceAll(UNSAFE_CHARACTERS, '').trim();
  const cut = cutToBytes(visible).trimEnd();
  return cut === '' || cut === '.' || cut === '..' ? NAMELESS : cut;
}

function cutToBytes(name: string): string {
  if (name.length * 3 <= MAX_BYTES) return name;
  const { read } = encoder.encodeInto(name, new Uint8Array(MAX_BYTES));
  return name.slice(0, read);
}
