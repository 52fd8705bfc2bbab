import type { S3Credentials } from '../../../server/src/runtime/s3.ts';
import { findProgram } from '../find-program.ts';
import { freePorts } from '../free-ports.ts';
import { tempFolder } from '../temp-folder.ts';
import { halt } from './halt.ts';
import { BUCKET, bucketAt, READY_PREFIX, type S3Bucket } from './s3-bucket.ts';

/** The path of SeaweedFS: the one in SEAWEEDFS, or else `weed` on the PATH. */
const SEAWEEDFS_PATH = findSeaweed();

const isCi = process.env['CI'] === 'true';

/** True if this machine has no S3 server. */
export const isS3Missing = SEAWEEDFS_PATH === undefined;

/** True if tests that need S3 are skipped: if there is no server, except in CI, where they fail. */
export const IS_S3_SKIPPED = isS3Missing && !isCi;

/** Prints a note if the tests of a file that need S3 are skipped. */
export function warnIfS3Skipped(): void {
  if (!IS_S3_SKIPPED) return;
  process.stderr.write(
    'SKIPPED: the tests of this file that need S3, for want of SeaweedFS. Install it, or name it in SEAWEEDFS.\n',
  );
}

const READY_MS = 120_000;
const POLL_MS = 50;

/** A test's own S3 server, with one bucket. */
export interface S3Server extends S3Bucket, AsyncDisposable {
  /** Kills it, like a power cut. Stored objects are kept. */
  stop(): Promise<void>;
  /** Starts it again, at the same address. */
  start(): Promise<void>;
  /** Halts its process, which keeps its connections and accepts new ones. */
  pause(): void;
  resume(): void;
}

/** Starts a server on free ports. Throws if SeaweedFS is not installed. */
export async function startS3Server(): Promise<S3Server> {
  if (SEAWEEDFS_PATH === undefined) {
    throw new Error('there is no SeaweedFS: install it, or name it in SEAWEEDFS');
  }
  await using cleanUp = new AsyncDisposableStack();
  const folder = cleanUp.use(await tempFolder());
  const ports = await freePorts(12);
  const endpoint = `http://127.0.0.1:${ports[0]}`;
  const credentials = { accessKeyId: 'hearth-test-key', secretAccessKey: 'hearth-test-secret' };
  const weed = new Weed(SEAWEEDFS_PATH, { folder: folder.path, ports, credentials });
  cleanUp.defer(() => weed.stop());
  const bucket = bucketAt({ endpoint, credentials });
  const start = async () => {
    weed.start();
    // Large enough to go to the volumes for contents, which are the last part to become ready.
    const probe = 'x'.repeat(65_536);
    const key = `${READY_PREFIX}ready`;
    await ready(weed, async () => {
      await bucket.put(key, probe);
      return new TextDecoder().decode(await bucket.get(key)) === probe;
    });
    await ready(weed, () => bucket.has(READY_PREFIX));
  };
  await start();
  const owned = cleanUp.move();
  return {
    ...bucket,
    stop: () => weed.stop(),
    start,
    pause: () => weed.pause(),
    resume: () => weed.resume(),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function ready(weed: Weed, isReady: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + READY_MS;
  while (!(await isReady().catch(() => false))) {
    if (weed.hasEnded) throw new Error(`SeaweedFS ended: ${weed.said}`);
    if (Date.now() > deadline) throw new Error(`SeaweedFS does not get ready: ${weed.said}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

interface WeedOptions {
  readonly folder: string;
  readonly ports: readonly number[];
  readonly credentials: S3Credentials;
}

/** The process of SeaweedFS, only on 127.0.0.1: by default it listens on every address and sends statistics. */
class Weed {
  readonly #command: readonly string[];
  readonly #env: Readonly<Record<string, string>>;
  readonly #cwd: string;
  #child: Bun.Subprocess<'ignore', 'pipe', 'pipe'> | undefined;
  said = '';

  constructor(path: string, { folder, ports, credentials }: WeedOptions) {
    const names = ['s3', 'master', 'volume', 'filer', 'admin'];
    this.#command = [
      ...[path, 'mini', `-dir=${folder}`, '-ip=127.0.0.1', '-ip.bind=127.0.0.1'],
      ...['-master.telemetry=false', '-admin.ui=false', '-webdav=false'],
      ...['-s3.port.iceberg=0', '-s3.port.lance=0', '-s3.autoCreateBucket=false'],
      ...names.flatMap((name, at) => [
        `-${name}.port=${ports[at]}`,
        `-${name}.port.grpc=${ports[at + names.length]}`,
      ]),
    ];
    this.#cwd = folder;
    this.#env = {
      HOME: folder,
      PATH: process.env['PATH'] ?? '',
      S3_BUCKET: BUCKET,
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    };
  }

  get hasEnded(): boolean {
    return this.#child?.exitCode != null || this.#child?.signalCode != null;
  }

  start(): void {
    this.said = '';
    this.#child = Bun.spawn([...this.#command], {
      cwd: this.#cwd,
      env: this.#env,
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    });
    void this.#listen(this.#child.stdout);
    void this.#listen(this.#child.stderr);
  }

  pause(): void {
    if (this.#child !== undefined) halt(this.#child.pid);
  }

  resume(): void {
    this.#child?.kill('SIGCONT');
  }

  async stop(): Promise<void> {
    this.#child?.kill('SIGKILL');
    await this.#child?.exited;
  }

  async #listen(stream: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      this.said = (this.said + decoder.decode(chunk, { stream: true })).slice(-4_000);
    }
  }
}

function findSeaweed(): string | undefined {
  const named = process.env['SEAWEEDFS'];
  return findProgram([named === undefined || named === '' ? 'weed' : named]);
}
