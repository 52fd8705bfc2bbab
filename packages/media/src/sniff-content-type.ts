/** The type of unknown content. */
export const UNKNOWN_CONTENT_TYPE = 'application/octet-stream';

// file-type may inflate up to 16 MiB, only to distinguish archives that have the same content type
const GZIP = '\x1f\x8b\x08';
// Not known to file-type if the directory, which distinguishes camera formats, is beyond the head
const TIFFS: readonly string[] = ['II\x2a\0', 'MM\0\x2a'];
const COMMON_NAMES: ReadonlyMap<string, string> = new Map([['video/matroska', 'video/x-matroska']]);
const ACTIVE_ENDINGS: readonly string[] = [
  'xml',
  'html',
  'javascript',
  'ecmascript',
  'shockwave-flash',
];

/**
 * The content type that the first bytes of a binary file or a document show, one that no browser runs scripts in:
 * application/octet-stream if nothing is recognised or if the type is an active one.
 */
export async function sniffContentType(head: Buffer): Promise<string> {
  const mime = await sniffKnownType(head);
  return isActive(mime) ? UNKNOWN_CONTENT_TYPE : (COMMON_NAMES.get(mime) ?? mime);
}

async function sniffKnownType(head: Buffer): Promise<string> {
  const start = head.toString('latin1', 0, 4);
  if (start.startsWith(GZIP)) return 'application/gzip';
  // Only here, because a start would load node:tty and node:stream with it.
  const { fileTypeFromBuffer } = await import('file-type');
  try {
    return (
      (await fileTypeFromBuffer(head))?.mime ??
      (TIFFS.includes(start) ? 'image/tiff' : UNKNOWN_CONTENT_TYPE)
    );
  } catch {
    // its parsers throw many kinds of errors at hostile bytes
    return UNKNOWN_CONTENT_TYPE;
  }
}

function isActive(mime: string): boolean {
  return (
    mime.startsWith('text/') || ACTIVE_ENDINGS.some((ending) => mime.toLowerCase().endsWith(ending))
  );
}
