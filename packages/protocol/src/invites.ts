import { joinUrl } from './join-url.ts';

/** The number of characters of the code of an invite: enough that nobody can guess it. Ours. */
export const INVITE_CODE_LENGTH = 12;

const FRAGMENT = 'invite=';

/**
 * The link of an invite to register on an instance, whose web client is at `webUrl`. The code is in the fragment, which
 * browsers send to nobody, so no proxy writes it to a log.
 *
 * @example inviteLink('https://chat.example.org', 'k7mwp3xd9qht') // https://chat.example.org/#invite=k7mwp3xd9qht
 */
export function inviteLink(webUrl: string, code: string): string {
  return `${joinUrl(webUrl)}/#${FRAGMENT}${encodeURIComponent(code)}`;
}

/**
 * The code that somebody has typed or pasted: by itself, or within the link of an invite to the instance or to a community.
 *
 * @example inviteCodeFrom('https://chat.example.org/invite/k7mwp3xd9qht') // 'k7mwp3xd9qht'
 */
export function inviteCodeFrom(text: string): string {
  const typed = text.trim();
  const { hash, path } = /^(?<path>[^?#]*)[^#]*(?<hash>#.*)?$/su.exec(typed)?.groups ?? {};
  const inFragment = inviteCodeIn(hash ?? '');
  if (inFragment !== undefined) return inFragment;
  return /\/invite\/([^/\s]+)\/?$/u.exec(path ?? '')?.[1] ?? typed;
}

/** The code in the fragment of a link, with or without its `#`; undefined if it has none. */
export function inviteCodeIn(fragment: string): string | undefined {
  const text = fragment.replace(/^#/, '');
  if (!text.startsWith(FRAGMENT) || text === FRAGMENT) return undefined;
  try {
    return decodeURIComponent(text.slice(FRAGMENT.length));
  } catch {
    return undefined;
  }
}
