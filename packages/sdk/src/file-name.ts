/** The file's name in a Content-Disposition (RFC 6266), the extended form first; undefined if there is none. */
export function nameInDisposition(header: string | null): string | undefined {
  if (header === null) return undefined;
  const extended = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(header)?.[1];
  const decoded = extended === undefined ? undefined : decodedOrNone(extended);
  if (decoded !== undefined) return decoded;
  const quoted = /;\s*filename\s*=\s*"((?:[^"\\]|\\.)*)"/i.exec(header)?.[1];
  if (quoted !== undefined) return quoted.replace(/\\(.)/g, '$1');
  return /;\s*filename\s*=\s*([^;"\s]+)/i.exec(header)?.[1];
}

function decodedOrNone(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
