/** The header in which clients send the instance's access code to the REST and the file service. Ours. */
export const ACCESS_CODE_HEADER = 'X-Access-Code';

/** The number of characters that an access code may have. */
export const ACCESS_CODE_LENGTH = { min: 6, max: 64 } as const;

const SUBPROTOCOL = 'hearth';
const CODE_PREFIX = 'hearth.access.';

/** Returns whether `text` may be an access code: visible ASCII characters, which a header and a link can carry. */
export function isAccessCode(text: string): boolean {
  const { min, max } = ACCESS_CODE_LENGTH;
  return text.length >= min && text.length <= max && /^[!-~]+$/.test(text);
}

/**
 * The WebSocket subprotocols that carry an access code to the gateway. The first one has no code, because a server
 * returns the subprotocol that it accepts.
 */
export function accessProtocols(code: string): readonly string[] {
  return [SUBPROTOCOL, CODE_PREFIX + toBase64Url(code)];
}

/** The access code among the subprotocols that a client offers in `header`; undefined if there is none. */
export function accessCodeOffered(header: string | null): string | undefined {
  const offered = header?.split(',').map((each) => each.trim());
  const found = offered?.find((each) => each.startsWith(CODE_PREFIX));
  return found === undefined ? undefined : fromBase64Url(found.slice(CODE_PREFIX.length));
}

function toBase64Url(code: string): string {
  return btoa(code).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Empty, which is no access code, if `text` is not base64url. */
function fromBase64Url(text: string): string {
  try {
    return atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    return '';
  }
}
