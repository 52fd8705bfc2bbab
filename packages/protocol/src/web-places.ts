/**
 * The addresses of the web client, below the address at which it is served. The web component answers each of them with
 * the page, and the service worker does so without a network. Segments that begin with a colon are parameters. If an address
 * fits several, the first one counts.
 */
export const WEB_PLACES = {
  home: '/',
  lobby: '/lobby',
  lobbyMessage: '/lobby/:message_id',
  settings: '/settings',
  settingsPage: '/settings/:page',
  about: '/about',
  signIn: '/sign-in',
  register: '/register',
  forgottenPassword: '/forgotten-password',
  resetPassword: '/reset-password',
  verifyEmail: '/verify-email',
  feed: '/feed',
  communities: '/communities',
  newCommunity: '/communities/new',
  community: '/c/:slug',
  communitySettings: '/c/:slug/settings',
  communitySettingsPage: '/c/:slug/settings/:page',
  communityPosts: '/c/:slug/posts',
  untitledPost: '/c/:slug/p/:post_id',
  post: '/c/:slug/p/:post_id/:title',
  postComment: '/c/:slug/p/:post_id/:title/:comment_id',
  channel: '/c/:slug/:channel_id',
  channelMessage: '/c/:slug/:channel_id/:message_id',
  conversation: '/m/:channel_id',
  conversationMessage: '/m/:channel_id/:message_id',
  user: '/u/:username',
  invite: '/invite/:code',
} as const;

/** The name of a place of the web client. */
export type WebPlaceName = keyof typeof WEB_PLACES;

type ParameterOf<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParameterOf<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** The parameters of a place, decoded. */
export type WebPlaceParams<Name extends WebPlaceName> = Readonly<
  Record<ParameterOf<(typeof WEB_PLACES)[Name]>, string>
>;

/** A place of the web client with its parameters. */
export type WebPlace = {
  readonly [Name in WebPlaceName]: { readonly name: Name; readonly params: WebPlaceParams<Name> };
}[WebPlaceName];

/** The place at `path`, or undefined if there is none. Doubled slashes and a slash at the end do not matter. */
export function findWebPlace(path: string): WebPlace | undefined {
  const segments = path
    .replaceAll(/\/{2,}/g, '/')
    .replace(/(.)\/$/, '$1')
    .split('/');
  for (const [name, pattern] of Object.entries(WEB_PLACES)) {
    const params = matched(pattern.split('/'), segments);
    if (params !== undefined) return placeOf(name, params);
  }
  return undefined;
}

/**
 * The path of a place.
 *
 * @example webPath('lobbyMessage', { message_id: '42' }) // /lobby/42
 */
export function webPath<Name extends WebPlaceName>(
  name: Name,
  params: WebPlaceParams<Name>,
): string {
  const values = new Map<string, string>(Object.entries(params));
  return WEB_PLACES[name].replaceAll(/:(\w+)/g, (_, parameter: string) =>
    encodeURIComponent(values.get(parameter) ?? ''),
  );
}

function matched(
  pattern: readonly string[],
  segments: readonly string[],
): Readonly<Record<string, string>> | undefined {
  if (pattern.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [at, part] of pattern.entries()) {
    const segment = segments[at] ?? '';
    if (!part.startsWith(':')) {
      if (part !== segment) return undefined;
      continue;
    }
    const value = decoded(segment);
    if (value === undefined || value === '') return undefined;
    params[part.slice(1)] = value;
  }
  return params;
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

// Guarantee: `name` is a key of the table, and `params` are those of its pattern.
function placeOf(name: string, params: Readonly<Record<string, string>>): WebPlace {
  return { name, params } as WebPlace;
}

/** The most characters of a title in an address. */
const MOST_TITLE_CHARACTERS = 60;

/** A title as the last part of an address: its words in lower case. It says what to expect, and names nothing. */
export function titleSegment(title: string): string {
  const words = title
    .normalize('NFC')
    .toLowerCase()
    .match(/[\p{L}\p{N}\p{M}]+/gu);
  let segment = '';
  for (const word of words ?? []) {
    const longer = segment === '' ? word : `${segment}-${word}`;
    if (longer.length > MOST_TITLE_CHARACTERS) break;
    segment = longer;
  }
  return segment === '' ? '-' : segment;
}
