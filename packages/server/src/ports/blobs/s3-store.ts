import type { Logger } from '../../log/logger.ts';
import { s3Bucket, type S3Address, type S3Credentials } from '../../runtime/s3.ts';
import { S3Requests } from './s3-requests.ts';

/** The address of the objects of an instance, and the credentials for it. */
export interface S3Access {
  /** With the prefix of the keys of all objects: empty, or a path without slashes at its ends. */
  readonly address: S3Address & { readonly prefix: string };
  readonly credentials: S3Credentials;
}

/** The objects of an instance. */
export interface S3Store {
  readonly requests: S3Requests;
  /** Prefix of the keys of contents. */
  readonly contents: string;
  /** Prefix of the markers of contents that are not recorded yet. */
  readonly incoming: string;
}

/** The part of an engine that its writers share. */
export interface S3WriterStore extends S3Store {
  readonly log: Logger;
}

/** Sends no request yet. */
export function openS3Store({ address, credentials }: S3Access): S3Store {
  const prefix = address.prefix === '' ? '' : `${address.prefix}/`;
  return {
    requests: new S3Requests(s3Bucket(address, credentials)),
    contents: `${prefix}contents/`,
    incoming: `${prefix}incoming/`,
  };
}

/** Rejects with an S3Error that says what is wrong if an instance could not keep its contents there. */
export async function checkS3(access: S3Access): Promise<void> {
  const { requests, contents, incoming } = openS3Store(access);
  // First a listing, because some servers create a missing bucket when an object is written.
  for await (const _object of requests.list(contents)) break;
  const probe = `${incoming}check`;
  await requests.mark(probe);
  await requests.delete(probe);
}
