/** Where objects are kept. */
export interface S3Address {
  readonly bucket: string;
  /** The origin of the server; without one Amazon's of the region. */
  readonly endpoint?: string | undefined;
  readonly region: string;
}

/** Who asks. */
export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

/** An object that is there. */
export interface S3ListedObject {
  readonly key: string;
  /** By the server's clock, in whole seconds as a rule; NaN where it does not tell. */
  readonly modifiedAtMs: number;
}

/** What can be asked of a bucket. */
export type S3Method = 'GET' | 'HEAD' | 'PUT' | 'DELETE';

/** Signs requests to a bucket, and lists what is in it. */
export interface S3Bucket {
  /** The URL of a request that is made now. It carries a signature: neither a log nor an error may tell it. */
  sign(method: S3Method, key: string): string;

  /** Up to a thousand objects whose keys begin with `prefix` and come after `after`, in the order of their keys. */
  list(prefix: string, after?: string): Promise<readonly S3ListedObject[]>;
}

/** Longer than any request waits before it is made, and enough for clocks that differ a little. */
const SIGNED_FOR_SECONDS = 3_600;

/** A bucket; nothing is asked of it yet. */
export function s3Bucket(address: S3Address, credentials: S3Credentials): S3Bucket {
  const { bucket, region } = address;
  // Everything is given, because what is missing the runtime would look for in the environment.
  const client = new Bun.S3Client({
    bucket,
    region,
    endpoint: address.endpoint ?? `https://s3.${region}.amazonaws.com`,
    accessKeyId: credentials.accessKeyId,
    secretAccessKey: credentials.secretAccessKey,
    sessionToken: credentials.sessionToken ?? '',
    virtualHostedStyle: false,
    retry: 1,
  });
  return {
    sign: (method, key) => client.presign(key, { method, expiresIn: SIGNED_FOR_SECONDS }),
    async list(prefix, after) {
      const { contents = [] } = await client.list({
        prefix,
        ...(after === undefined ? {} : { startAfter: after }),
      });
      return contents.map(({ key, lastModified }) => ({
        key,
        modifiedAtMs: lastModified === undefined ? Number.NaN : Date.parse(lastModified),
      }));
    },
  };
}
