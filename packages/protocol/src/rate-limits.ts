import type { RateLimitKind } from './rate-limit-kind.ts';

/**
 * Every rate limit. Options, `GET /rate_limits`, what the limiter counts, headers and the client library come from this
 * table, in its order.
 */
export const RATE_LIMITS = {
  info: {
    component: 'rest',
    section: 'oprish',
    counts: 'Requests for information about the instance: GET /',
    operation: 'Reading the instance information',
    defaults: { reset_after: 5, limit: 2 },
    inFlight: 1,
  },
  message_create: {
    component: 'rest',
    section: 'oprish',
    counts: 'Messages posted: POST /messages',
    operation: 'Posting the message',
    defaults: { reset_after: 5, limit: 10 },
    inFlight: 1,
    withToken: 'message_send',
  },
  message_send: {
    component: 'rest',
    section: 'oprish',
    isOurs: true,
    counts:
      'Messages posted by people with an account: POST /messages with a token, POST /channels/<id>/messages',
    operation: 'Posting the message',
    defaults: { reset_after: 5, limit: 10 },
    inFlight: 1,
  },
  message_list: {
    component: 'rest',
    section: 'oprish',
    isOurs: true,
    counts: 'Requests for the history of messages: GET /messages',
    operation: 'Reading the messages',
    defaults: { reset_after: 5, limit: 20 },
    inFlight: 2,
  },
  read: {
    component: 'rest',
    section: 'oprish',
    isOurs: true,
    counts: 'Other requests that only read, such as GET /capabilities and GET /communities/<id>',
    operation: 'Reading what the instance can do',
    defaults: { reset_after: 5, limit: 20 },
    inFlight: 2,
  },
  search: {
    component: 'rest',
    section: 'oprish',
    isOurs: true,
    counts: 'Searches: GET /search',
    operation: 'Searching',
    defaults: { reset_after: 10, limit: 10 },
    inFlight: 1,
  },
  search_facets: {
    component: 'rest',
    section: 'oprish',
    isOurs: true,
    counts: 'Counts of what a search finds: GET /search/facets',
    operation: 'Counting what a search finds',
    defaults: { reset_after: 10, limit: 10 },
    inFlight: 1,
  },
  list: {
    component: 'rest',
    section: 'oprish',
    isOurs: true,
    counts:
      'Requests for lists of people, sessions and communities, such as GET /sessions and GET /communities',
    operation: 'Reading the list',
    defaults: { reset_after: 5, limit: 20 },
    inFlight: 2,
  },
  write: {
    component: 'rest',
    section: 'oprish',
    isOurs: true,
    counts:
      'Changes of accounts, sessions, messages and communities, such as PATCH /users/me and POST /communities',
    operation: 'Saving the change',
    defaults: { reset_after: 10, limit: 20 },
    inFlight: 1,
  },
  react: {
    component: 'rest',
    section: 'oprish',
    isOurs: true,
    counts: 'Reactions: PUT and DELETE /messages/<id>/reactions/<emoji>',
    operation: 'Saving the reaction',
    defaults: { reset_after: 5, limit: 10 },
    inFlight: 1,
  },
  vote: {
    component: 'rest',
    section: 'oprish',
    isOurs: true,
    counts: 'Votes: PUT /posts/<id>/vote, /comments/<id>/vote and /posts/<id>/poll',
    operation: 'Saving the vote',
    defaults: { reset_after: 10, limit: 30 },
    inFlight: 1,
  },
  moderate: {
    component: 'rest',
    section: 'oprish',
    isOurs: true,
    counts:
      'What moderators of communities do to members and messages, such as PUT /communities/<id>/bans/<user>',
    operation: 'Saving the change',
    defaults: { reset_after: 10, limit: 20 },
    inFlight: 1,
  },
  page: {
    component: 'web',
    section: 'oprish',
    isOurs: true,
    counts:
      'Requests for feeds, the sitemap, and pages of communities, posts, people and invites at the port of the web client',
    operation: 'Fetching the page',
    // A person asks for a page when a tab opens, a reader of hundreds of feeds for some in a second, and crawlers slow down when
    // they are asked to. Five a second take some hundredths of a processor core.
    defaults: { reset_after: 60, limit: 300 },
    inFlight: 4,
  },
  account_create: {
    component: 'rest',
    section: 'oprish',
    isOurs: true,
    counts: 'Registrations: POST /users',
    operation: 'Creating the account',
    isByAddress: true,
    defaults: { reset_after: 600, limit: 10 },
    inFlight: 1,
  },
  account_invited: {
    component: 'rest',
    section: 'oprish',
    isOurs: true,
    counts: 'Registrations with an invite that can be used, for each invite: POST /users',
    operation: 'Creating the account',
    defaults: { reset_after: 600, limit: 50 },
    inFlight: 1,
  },
  auth: {
    component: 'rest',
    section: 'oprish',
    isOurs: true,
    counts: 'Attempts to sign in: POST /auth, and wrong access codes, sent to any component',
    operation: 'Signing in',
    isByAddress: true,
    defaults: { reset_after: 60, limit: 10 },
    inFlight: 1,
  },
  rate_limits: {
    component: 'rest',
    section: 'oprish',
    // The first key is in every documented payload. The others were in earlier versions of the interface, and some
    // clients still expect them.
    keys: ['rate limits', 'rate_limits', 'ratelimits'],
    counts: 'Requests for the limits in force: GET /rate_limits',
    operation: 'Reading the rate limits',
    defaults: { reset_after: 5, limit: 2 },
    inFlight: 1,
  },
  gateway: {
    component: 'gateway',
    section: 'pandemonium',
    keys: [],
    counts: 'Connections, and payloads sent over each connection',
    operation: 'Connecting to the gateway',
    defaults: { reset_after: 10, limit: 5 },
    inFlight: 1,
  },
  gateway_connect: {
    component: 'gateway',
    section: 'oprish',
    isOurs: true,
    counts: 'Connections of profile 2, by user or, without a token, by client',
    operation: 'Connecting to the gateway',
    defaults: { reset_after: 10, limit: 10 },
    inFlight: 1,
  },
  gateway_events: {
    component: 'gateway',
    section: 'oprish',
    isOurs: true,
    counts: 'Payloads sent over each connection of profile 2',
    operation: 'Handling the payload',
    defaults: { reset_after: 60, limit: 120 },
    inFlight: 1,
  },
  assets: {
    component: 'nothing',
    section: 'effis',
    counts:
      'Handling of assets (every bucket other than attachments), which no client can upload yet',
    operation: 'Storing the asset',
    defaults: { reset_after: 60, limit: 5, file_size_limit: 30_000_000 },
    inFlight: 1,
  },
  attachments: {
    component: 'files',
    section: 'effis',
    counts: 'Uploads of attachments',
    operation: 'Storing the file',
    defaults: { reset_after: 180, limit: 20, file_size_limit: 500_000_000 },
    inFlight: 3,
  },
  fetch_file: {
    component: 'files',
    section: 'effis',
    counts: 'Requests for files',
    operation: 'Fetching the file',
    defaults: { reset_after: 60, limit: 30 },
    inFlight: 6,
  },
  fetch_media: {
    component: 'files',
    section: 'effis',
    isOurs: true,
    counts:
      'Requests for files to be shown in a page, and for smaller versions of pictures: GET /media/<id>',
    operation: 'Fetching the file',
    defaults: { reset_after: 60, limit: 600 },
    inFlight: 6,
  },
} as const satisfies Readonly<Record<string, RateLimitKind>>;

type Table = typeof RATE_LIMITS;

/** The name of a limit. */
export type RateLimitName = keyof Table;

/** The names of the limits that one of these components counts. */
export type RateLimitOf<Component extends RateLimitKind['component']> = {
  [Name in RateLimitName]: Table[Name]['component'] extends Component ? Name : never;
}[RateLimitName];

/** The names of the limits of a section. */
export type RateLimitIn<Section extends RateLimitKind['section']> = {
  [Name in RateLimitName]: Table[Name]['section'] extends Section ? Name : never;
}[RateLimitName];

/** The keys of a limit in `GET /rate_limits`. */
export type RateLimitKey<Name extends RateLimitName> = Table[Name] extends {
  readonly keys: readonly (infer Key extends string)[];
}
  ? Key
  : Name;

/** True if a limit counts bytes. */
export type CountsBytes<Name extends RateLimitName> = Table[Name]['defaults'] extends {
  readonly file_size_limit: number;
}
  ? true
  : false;

/** True if servers of the documented interface have a limit. */
export type IsDocumented<Name extends RateLimitName> = Table[Name] extends { readonly isOurs: true }
  ? false
  : true;

/** The names of all limits. */
export const RATE_LIMIT_NAMES = Object.keys(RATE_LIMITS).filter(isRateLimitName);

/** The names of the limits of `section`. */
export function rateLimitsIn<Section extends RateLimitKind['section']>(
  section: Section,
): readonly RateLimitIn<Section>[] {
  const isIn = (name: RateLimitName): name is RateLimitIn<Section> =>
    RATE_LIMITS[name].section === section;
  return RATE_LIMIT_NAMES.filter(isIn);
}

/** The keys of a limit in its section of `GET /rate_limits`; none if it is the whole section. */
export function rateLimitKeys(name: RateLimitName): readonly string[] {
  const { keys = [name] }: RateLimitKind = RATE_LIMITS[name];
  return keys;
}

/** Returns whether servers of the documented interface have the limit. */
export function isDocumentedLimit(name: RateLimitName): boolean {
  const { isOurs }: RateLimitKind = RATE_LIMITS[name];
  return isOurs !== true;
}

function isRateLimitName(name: string): name is RateLimitName {
  return Object.hasOwn(RATE_LIMITS, name);
}
