import { readTags } from './tag-reader.ts';

/** An XML declaration comes first, and is short. */
const DECLARED_BYTES = 1_024;

const UTF_8 = 'utf-8';

/** The encoding that browsers take for pages that say none and are not in UTF-8. */
const UNDECLARED = 'windows-1252';

/**
 * The text of a page. Its encoding is that of its first bytes, of its content type, of a `meta` tag in its head, or of an
 * XML declaration, in this order; XHTML has the declaration before the tag. Names that nobody knows do not count. A page
 * without any is in UTF-8, if it can be.
 */
export function decodePage(bytes: Uint8Array, contentType: string): string {
  const declared = decoderOf(byMark(bytes)) ?? decoderOf(labelIn(contentType));
  const found = declared ?? inPage(bytes, /^\s*application\/xhtml\+xml/i.test(contentType));
  return (found ?? usual(bytes)).decode(bytes);
}

function byMark(bytes: Uint8Array): string | undefined {
  const first = Buffer.from(bytes.subarray(0, 6)).toString('hex');
  if (first.startsWith('efbbbf')) return UTF_8;
  // A byte order mark, or an XML declaration without one.
  if (first.startsWith('feff') || first === '003c003f0078') return 'utf-16be';
  if (first.startsWith('fffe') || first === '3c003f007800') return 'utf-16le';
  return undefined;
}

function labelIn(text: string): string | undefined {
  return /(?:^|[;\s])charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(text)?.[1];
}

function inPage(bytes: Uint8Array, isXhtml: boolean): Decoder | undefined {
  const latin = Buffer.from(bytes).toString('latin1');
  const ofXml = () => declaredDecoder(inXml(latin));
  return isXhtml ? (ofXml() ?? inHead(latin)) : (inHead(latin) ?? ofXml());
}

function inXml(latin: string): string | undefined {
  const start = latin.slice(0, DECLARED_BYTES);
  return /^<\?xml\s[^>]*?\bencoding\s*=\s*["']\s*([\w.:-]+)/.exec(start)?.[1];
}

function inHead(latin: string): Decoder | undefined {
  for (const attributes of readTags(latin, { isHeadAlone: true }).metas) {
    const isType = /^\s*content-type\s*$/i.test(attributes.get('http-equiv') ?? '');
    const ofType = isType ? labelIn(attributes.get('content') ?? '') : undefined;
    const found = declaredDecoder(attributes.get('charset') ?? ofType);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The decoder of an encoding that a page declares in letters that could be read before it was known. */
function declaredDecoder(label: string | undefined): Decoder | undefined {
  const found = decoderOf(label);
  return found?.encoding.startsWith('utf-16') === true ? decoderOf(UTF_8) : found;
}

type Decoder = Pick<TextDecoder, 'decode' | 'encoding'>;

function decoderOf(label: string | undefined): Decoder | undefined {
  if (label === undefined) return undefined;
  try {
    // Guarantee: the constructor refuses a label that it does not know.
    return new TextDecoder(label.trim() as Bun.Encoding);
  } catch {
    return undefined;
  }
}

function usual(bytes: Uint8Array): Decoder {
  const decoder = new TextDecoder(UTF_8, { fatal: true });
  try {
    // The page may have been cut within a character.
    decoder.decode(bytes, { stream: true });
    return new TextDecoder();
  } catch {
    return decoderOf(UNDECLARED) ?? new TextDecoder();
  }
}
