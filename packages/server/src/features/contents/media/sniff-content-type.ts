/** The type of content nothing is known of. */
export const unknownContentType = 'application/octet-stream';

const matroska = 'video/matroska';
const gzipMagic = [0x1f, 0x8b, 0x08];

/**
 * The content type that the first bytes of a binary file show, one that no browser runs scripts in:
 * application/octet-stream where nothing is recognised or where the type is an active one.
 */
export async function sniffContentType(head: Uint8Array): Promise<string> {
  // file-type would inflate up to 16 MiB only to tell a compressed archive, of the same content type, apart
  if (gzipMagic.every((byte, at) => head[at] === byte)) return 'application/gzip';
  const { fileTypeFromBuffer } = await import('file-type');
  try {
    const mime = (await fileTypeFromBuffer(head))?.mime ?? unknownContentType;
    if (isActive(mime)) return unknownContentType;
    return mime === matroska ? 'video/x-matroska' : mime;
  } catch {
    // its parsers throw many kinds of errors at hostile bytes
    return unknownContentType;
  }
}

function isActive(mime: string): boolean {
  const lower = mime.toLowerCase();
  return (
    lower.startsWith('text/') ||
    lower.endsWith('xml') ||
    lower.includes('html') ||
    lower.includes('javascript') ||
    lower.includes('ecmascript') ||
    lower === 'application/x-shockwave-flash'
  );
}
