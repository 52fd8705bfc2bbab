import type { S3Credentials } from '../../server/src/runtime/s3.ts';

/**
 * Servers and built files that a run of many test files shares. A file that runs alone finds nothing here, and starts what it
 * needs.
 */
export interface TestRun {
  readonly postgres?: RunPostgres;
  readonly redis?: string;
  readonly s3?: SharedS3;
  /** The address at which Playwright connects to the browser. */
  readonly chromium?: string;
  /** The main file of the bundle. */
  readonly program?: string;
  /** The bundle of the helper processes. */
  readonly helpers?: string;
  /** The folder of the built web client. */
  readonly web?: string;
}

/** The addresses of databases that always exist. */
export interface RunPostgres {
  readonly url: string;
  /** One with the newest schema, to be copied. */
  readonly migrated: string;
  /** The data of a stopped server that has these databases. */
  readonly data: string;
}

/** The address of a bucket, and the credentials for it. */
export interface SharedS3 {
  readonly endpoint: string;
  readonly credentials: S3Credentials;
}

const VARIABLE = 'HEARTH_TEST_RUN';

/** Servers and built files that the run of this process shares. */
export const testRun: TestRun = JSON.parse(process.env[VARIABLE] ?? '{}');

/** The environment of processes that belong to a run. */
export function environmentOf(run: TestRun): Readonly<Record<string, string>> {
  return { [VARIABLE]: JSON.stringify(run) };
}
