import { parse } from 'content-disposition';
import { safeFileName } from '../../platform/contents/contents.ts';

export type Part =
  | { readonly type: 'file'; readonly name: string }
  | { readonly type: 'several-files' }
  | { readonly type: 'spoiler' | 'strip' }
  | { readonly type: 'ignored' };

/** The boundary of a multipart form, or undefined if the Content-Type is not that of a multipart form. */
export function formBoundary(contentType: string | null): string | undefined {
  if (contentType === null || !/^\s*multipart\/form-data\s*(;|$)/i.test(contentType)) {
    return undefined;
  }
  const boundary = /;\s*boundary=(?:"([^"]+)"|([^\s";]+))/i.exec(contentType);
  return boundary?.[1] ?? boundary?.[2];
}

/**
 * Returns the part with this head. A part named `file` is the file, whether or not its client gave it a name or a type;
 * browsers percent-encode quotes in names, other clients escape them with a backslash.
 */
export function readPartHead(head: string): Part {
  const lines = unfolded(head).split('\r\n');
  const disposition = headerValue(lines, 'content-disposition') ?? '';
  const isEscaped = /\\["\\]/.test(disposition);
  const { parameters } = parse(disposition, { multipart: !isEscaped });
  const { name, filename: fileName, 'filename*': encodedName } = parameters;
  if (name === 'spoiler' || name === 'strip') return { type: name };
  if (name !== 'file') return { type: 'ignored' };
  const isNamed = fileName !== undefined || encodedName !== undefined;
  const contentType = headerValue(lines, 'content-type') ?? '';
  // curl sends `file=@a,b` like this, although RFC 7578 deprecates it.
  if (!isNamed && /^multipart\//i.test(contentType)) return { type: 'several-files' };
  return { type: 'file', name: safeFileName(fileName ?? '') };
}

/** `text` as a Boolean in any of the spellings that forms use, or undefined. */
export function parseFormBoolean(text: string): boolean | undefined {
  const value = text.trim().toLowerCase();
  if (['true', '1', 'on', 'yes'].includes(value)) return true;
  if (['false', '0', 'off', 'no'].includes(value)) return false;
  return undefined;
}

/** `head` with every header on one line: a line that begins with a blank continues the one before (RFC 5322). */
function unfolded(head: string): string {
  return head.replaceAll(/\r\n(?=[ \t])/g, '');
}

function headerValue(lines: readonly string[], name: string): string | undefined {
  for (const line of lines) {
    const colon = line.indexOf(':');
    if (colon !== -1 && line.slice(0, colon).trim().toLowerCase() === name) {
      return line.slice(colon + 1).trim();
    }
  }
  return undefined;
}
