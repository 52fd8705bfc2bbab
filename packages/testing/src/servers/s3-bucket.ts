import { s3Bucket, type S3Credentials } from '../../../server/src/runtime/s3.ts';
import type { SharedS3 } from '../test-run.ts';

/** The one bucket of a test's server. */
export const BUCKET = 'hearth';
const REGION = 'us-east-1';

/** The object that a new server writes to find out if it is ready. */
export const READY_PREFIX = 'test/';

/** A bucket of a server for tests. */
export interface S3Bucket {
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly credentials: S3Credentials;
  /** The BLOBS_URL of the bucket, or of a prefix in it. */
  url(prefix?: string): string;
  /** The environment of an instance that keeps its contents there. */
  env(prefix?: string): Readonly<Record<string, string>>;
  /** The keys of all objects, or of those that begin with `prefix`. */
  list(prefix?: string): Promise<readonly string[]>;
  /** The bytes of an object; undefined if it is not there. */
  get(key: string): Promise<Uint8Array | undefined>;
  put(key: string, text: string): Promise<void>;
  /** Resolves with whether it lists anything that begins with `prefix`. */
  has(prefix: string): Promise<boolean>;
}

/** The bucket of the server at `endpoint`. This sends no request yet. */
export function bucketAt({ endpoint, credentials }: SharedS3): S3Bucket {
  const bucket = s3Bucket({ bucket: BUCKET, endpoint, region: REGION }, credentials);
  const ask = (method: 'GET' | 'PUT', key: string, body?: string) =>
    fetch(bucket.sign(method, key), { method, ...(body !== undefined && { body }) });
  const url = (prefix = '') =>
    `s3://${BUCKET}${prefix === '' ? '' : `/${prefix}`}?endpoint=${endpoint}&region=${REGION}`;
  return {
    endpoint,
    bucket: BUCKET,
    region: REGION,
    credentials,
    url,
    env: (prefix) => ({
      BLOBS_URL: url(prefix),
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    }),
    async list(prefix = '') {
      const keys: string[] = [];
      for (let last: string | undefined; ;) {
        const objects = await bucket.list(prefix, last);
        keys.push(...objects.map(({ key }) => key));
        last = keys.at(-1);
        if (objects.length === 0) return keys.filter((key) => !key.startsWith(READY_PREFIX));
      }
    },
    async get(key) {
      const answer = await ask('GET', key);
      return answer.status === 404 ? undefined : answer.bytes();
    },
    async put(key, text) {
      const { ok, status } = await ask('PUT', key, text);
      if (!ok) throw new Error(`S3 answered ${status}`);
    },
    has: async (prefix) => (await bucket.list(prefix)).length > 0,
  };
}
