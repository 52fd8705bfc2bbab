/** Matches what `crypto.randomUUID` makes. */
const KEY = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

/** A dot and the key of the writer. */
const WRITER_SUFFIX = /\.[\da-f-]{36}$/;

/** Returns whether a name is a key. */
export function isBlobKey(name: string): boolean {
  return KEY.test(name);
}

/**
 * The name of what replaces a damaged content, or of its marker, without the suffix of the writer: it begins with the
 * content's key. Other names stay as they are.
 */
export function withoutWriter(name: string): string {
  return name.replace(WRITER_SUFFIX, '');
}
