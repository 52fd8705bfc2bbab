/** Where BLOBS_URL says that contents are. */
export interface BlobsAddress {
  readonly bucket: string;
  /** What the keys of all objects begin with: nothing, or a path without slashes at its ends. */
  readonly prefix: string;
  /** The origin of the server; without one it is Amazon's. */
  readonly endpoint: string | undefined;
  /** Undefined where the address names none. */
  readonly region: string | undefined;
}

const PARAMETERS = ['endpoint', 'region'];

/** As all servers take it: Amazon has had fewer characters since 2018, others have underscores. */
const BUCKET = /^[a-z0-9][\w.-]{1,61}[a-z0-9]$/i;
const PREFIX = /^[\w.!~*'()-]+(\/[\w.!~*'()-]+)*$/;
const REGION = /^[a-z0-9][a-z0-9-]{0,62}$/i;

/**
 * Reads `s3://bucket/prefix?endpoint=https://…&region=…`, of which only the bucket has to be there. Gives what is wrong
 * with it as text, such as `has …`, which repeats nothing of the address, for whoever puts keys into it.
 */
export function parseBlobsUrl(text: string): BlobsAddress | string {
  const [, authority = '', path = '', query = ''] =
    /^s3:\/\/([^/?#]*)([^?#]*)(?:\?([^#]*))?$/.exec(text) ?? [];
  if (authority.includes('@')) {
    return 'has keys in it, which belong in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY';
  }
  if (!BUCKET.test(authority)) return 'does not begin with s3:// and the name of a bucket';
  const prefix = path.replace(/^\/|\/$/g, '');
  if (prefix !== '' && !isPrefix(prefix)) return 'has a path that is no prefix of keys';
  const parameters = new URLSearchParams(query);
  const names = [...parameters.keys()];
  if (names.some((name) => !PARAMETERS.includes(name))) {
    return `has a parameter other than ${PARAMETERS.join(' and ')}`;
  }
  if (new Set(names).size < names.length) return 'names a parameter twice';
  const endpoint = parameters.get('endpoint') ?? undefined;
  const origin = endpoint === undefined ? undefined : originOf(endpoint);
  if (endpoint !== undefined && origin === undefined) {
    return 'has an endpoint unlike https://s3.example.org, which has no user name, path or query';
  }
  const region = parameters.get('region') ?? undefined;
  if (region !== undefined && !REGION.test(region)) {
    return 'has a region unlike eu-central-1';
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
