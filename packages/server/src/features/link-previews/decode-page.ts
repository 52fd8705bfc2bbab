/** A declaration of the encoding is at the beginning of a page. */
const DECLARED_BYTES = 1_024;

const DEFAULT = 'utf-8';

/**
 * The text of a page. Its encoding is that of its first bytes (a byte order mark), of its content type, or of a declaration
 * in it, in this order; without any, and for one that nobody knows, it is UTF-8.
 */
export function decodePage(bytes: Uint8Array, contentType: string): string {
  const label = byMark(bytes) ?? labelIn(contentType) ?? declaredIn(bytes) ?? DEFAULT;
  return decoder(label).decode(bytes);
}

function byMark(bytes: Uint8Array): string | undefined {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return undefined;
}

function labelIn(contentType: string): string | undefined {
  return /;\s*charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType)?.[1];
}

function declaredIn(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, DECLARED_BYTES)).toString('latin1');
  const label = /<meta\b[^>]*?\bcharset\s*=\s*["']?\s*([\w.:-]+)/i.exec(head)?.[1];
  // A declaration that can be read like this is not in UTF-16.
  return label !== undefined && /^utf-?16/i.test(label) ? DEFAULT : label;
}

function decoder(label: string): { decode(bytes: Uint8Array): string } {
  try {
    // Guarantee: the constructor refuses a label that it does not know.
    return new TextDecoder(label as Bun.Encoding);
  } catch {
    return new TextDecoder();
  }
}
