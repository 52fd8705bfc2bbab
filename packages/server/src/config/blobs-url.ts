/** The place of contents that BLOBS_URL names. */
export interface BlobsAddress {
  readonly bucket: string;
  /** Prefix of the keys of all objects: empty, or a path without slashes at its ends. */
  readonly prefix: string;
  /** The origin of the server; Amazon's if undefined. */
  readonly endpoint: string | undefined;
  /** Undefined if the address does not name one. */
  readonly region: string | undefined;
}

const PARAMETERS = ['endpoint', 'region'];

/**
 * Characters that all servers accept. Amazon has accepted fewer since 2018; other servers have buckets with
 * underscores.
 */
const BUCKET = /^[a-z0-9][\w.-]{1,61}[a-z0-9]$/i;
const PREFIX = /^[\w.!~*'()-]+(\/[\w.!~*'()-]+)*$/;
const REGION = /^[a-z0-9][a-z0-9-]{0,62}$/i;

/**
 * Parses `s3://bucket/prefix?endpoint=https://…&region=…`, of which only the bucket is required. If the address is
 * invalid, returns the problem as text, such as `has …`. The text repeats nothing of the address, because somebody may
 * have put keys into it.
 */
export function parseBlobsUrl(text: string): BlobsAddress | string {
  const [, authority = '', path = '', query = ''] =
    /^s3:\/\/([^/?#]*)([^?#]*)(?:\?([^#]*))?$/.exec(text) ?? [];
  if (authority.includes('@')) {
    return 'contains keys, which belong in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY';
  }
  if (!BUCKET.test(authority)) return 'does not begin with s3:// and the name of a bucket';
  const prefix = path.replace(/^\/|\/$/g, '');
  if (prefix !== '' && !isPrefix(prefix)) return 'has a path that cannot be a prefix of keys';
  const parameters = new URLSearchParams(query);
  const names = [...parameters.keys()];
  if (names.some((name) => !PARAMETERS.includes(name))) {
    return `has a parameter other than ${PARAMETERS.join(' and ')}`;
  }
  if (new Set(names).size < names.length) return 'has a parameter twice';
  const endpoint = parameters.get('endpoint') ?? undefined;
  const origin = endpoint === undefined ? undefined : originOf(endpoint);
  if (endpoint !== undefined && origin === undefined) {
    return 'has an endpoint other than an origin such as https://s3.example.org, without user name, path or query';
  }
  const region = parameters.get('region') ?? undefined;
  if (region !== undefined && !REGION.test(region)) {
    return 'has a region that does not look like eu-central-1';
  }
  return { bucket: authority, prefix, endpoint: origin, region };
}

function isPrefix(path: string): boolean {
  return PREFIX.test(path) && !path.split('/').some((part) => part === '.' || part === '..');
}

function originOf(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isHttp = url.protocol === 'http:' || url.protocol === 'https:';
  const isPlain =
    url.pathname === '/' && !/[?#]/.test(text) && url.username === '' && url.password === '';
  return isHttp && isPlain ? url.origin : undefined;
}
