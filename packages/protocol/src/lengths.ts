/** Shortest and longest `description`, in characters (Resources: InstanceInfo). */
export const DESCRIPTION_LENGTH = { min: 1, max: 2048 } as const;

/** Shortest and longest `author`, in characters (Resources: Message). */
export const AUTHOR_LENGTH = { min: 2, max: 32 } as const;

/** Longest `nonce`, in characters. Ours: not in the documented interface. */
export const MOST_NONCE_CHARACTERS = 64;

/**
 * The time in milliseconds for which the nonce of somebody with an account is remembered, so that a repetition creates
 * nothing. Ours.
 */
export const NONCE_REMEMBERED_MS = 600_000;

/** The least and the most messages that one `GET /messages` returns, and how many without `limit`. Ours. */
export const HISTORY_PAGE = { min: 1, max: 100, default: 50 } as const;

/** The most files that a message lists as its attachments. Ours. */
export const MOST_ATTACHMENTS = 20;

/** Mentions are counted up to this number, which means that there are at least so many. Ours. */
export const MOST_COUNTED_MENTIONS = 100;

/** Characters in the key of a file, which are hexadecimal digits. Ours. */
export const FILE_KEY_CHARACTERS = 32;

/** The number of files that a message of a channel may have. Ours. */
export const MOST_MESSAGE_ATTACHMENTS = 10;

/** The most kinds of reactions that a message has. Ours. */
export const MOST_REACTION_KINDS = 20;

/** The sizes in which `GET /media/<id>` offers a picture: its longer side, in pixels, in ascending order. Ours. */
export const MEDIA_SIZES: readonly number[] = [96, 400, 800, 1600];

/** Most characters in the `q` of `GET /search`. Ours. */
export const MOST_QUERY_CHARACTERS = 200;

/** The number of candidates that `GET /search` reads before it stops. Ours. */
export const MOST_SEARCH_CANDIDATES = 10_000;

/** The number of things that `GET /search/facets` counts. Ours. */
export const MOST_COUNTED = 1_000;

/** The number of places, and of authors, that `GET /search/facets` lists. Ours. */
export const MOST_FACETS = 20;

/** `message_limit` if the owner sets none (Limits: Configuration defaults). */
export const DEFAULT_MESSAGE_LIMIT = 2048;

/** Bytes of a character above U+FFFF written with escapes, the longest way to write a character in JSON. */
const MAX_BYTES_PER_CHARACTER = 12;

/** Bytes for keys, spaces and ignored fields. */
const SPARE_BYTES = 64 * 1024;

/** Bytes that are enough for a message as JSON, however it is written. */
export function maxMessageBytes(messageLimit: number): number {
  return (messageLimit + AUTHOR_LENGTH.max) * MAX_BYTES_PER_CHARACTER + SPARE_BYTES;
}

/** The number of messages that `POST /channels/<id>/messages/delete-many` takes. Ours. */
export const MOST_DELETED_MESSAGES = 100;
