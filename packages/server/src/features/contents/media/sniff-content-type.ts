/** The type of content nothing is known of. */
export const unknownContentType = 'application/octet-stream';

// file-type may inflate up to 16 MiB, only to tell archives apart that have the same content type
const gzip = '\x1f\x8b\x08';
// Not known to file-type where the directory, which tells camera formats apart, is beyond the head
const tiffs: readonly string[] = ['II\x2a\0', 'MM\0\x2a'];
const commonNames: ReadonlyMap<string, string> = new Map([['video/matroska', 'video/x-matroska']]);
const activeEndings: readonly string[] = [
  'xml',
  'html',
  'javascript',
  'ecmascript',
  'shockwave-flash',
];

/**
 * The content type that the first bytes of a binary file show, one that no browser runs scripts in:
 * application/octet-stream where nothing is recognised or where the type is an active one.
 */
export async function sniffContentType(head: Buffer): Promise<string> {
  const mime = await sniffKnownType(head);
  return isActive(mime) ? unknownContentType : (commonNames.get(mime) ?? mime);
}

async function sniffKnownType(head: Buffer): Promise<string> {
  const start = head.toString('latin1', 0, 4);
  if (start.startsWith(gzip)) return 'application/gzip';
  const { fileTypeFromBuffer } = await import('file-type');
  try {
    return (
      (await fileTypeFromBuffer(head))?.mime ??
      (tiffs.includes(start) ? 'image/tiff' : unknownContentType)
    );
  } catch {
    // its parsers throw many kinds of errors at hostile bytes
    return unknownContentType;
  }
}

function isActive(mime: string): boolean {
  return (
    mime.startsWith('text/') || activeEndings.some((ending) => mime.toLowerCase().endsWith(ending))
  );
}
