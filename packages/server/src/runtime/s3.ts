/** The bucket in which objects are kept, and the keys to it. */
export interface S3Address {
  readonly bucket: string;
  /** The origin of the server; without one, Amazon's for the region. */
  readonly endpoint?: string | undefined;
  readonly region: string;
}

export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

export interface S3ListedObject {
  readonly key: string;
  /** By the server's clock, usually in whole seconds; NaN if the server does not report it. */
  readonly modifiedAtMs: number;
}

/** The methods of requests to a bucket. */
export type S3Method = 'GET' | 'HEAD' | 'PUT' | 'DELETE';

/** Signs requests to a bucket, and lists what is in it. */
export interface S3Bucket {
  /** The URL of a request that is made now. It carries a signature, so it must appear in no log and no error. */
  sign(method: S3Method, key: string): string;

  /** Up to a thousand objects whose keys begin with `prefix` and come after `after`, in the order of their keys. */
  list(prefix: string, after?: string): Promise<readonly S3ListedObject[]>;
}

/** Longer than any request waits before it is sent, and enough for clocks that differ a little. */
const SIGNED_FOR_SECONDS = 3_600;

/** A bucket; no request is sent yet. */
export function s3Bucket(address: S3Address, credentials: S3Credentials): S3Bucket {
  const { bucket, region } = address;
  // Every option is given, because the runtime would read missing ones from the environment.
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
