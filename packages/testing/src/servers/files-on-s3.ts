import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listenWith, servedHttp } from '../../../server/src/components/listen.ts';
import { filesService } from '../../../server/src/components/files/files.ts';
import { loadConfig } from '../../../server/src/config/load-config.ts';
import type { Context } from '../../../server/src/context.ts';
import { addStatic } from '../../../server/src/features/files/statics/add-static.ts';
import { FailureLog } from '../../../server/src/log/failure-log.ts';
import { jsonLogger } from '../../../server/src/log/logger.ts';
import { limitPolicies } from '../../../server/src/engines/limit-policies.ts';
import { memoryLimiter } from '../../../server/src/ports/limiter/memory.ts';
import { freePorts } from '../free-ports.ts';
import { OWNER } from '../../../server/src/actor.ts';
import type { S3Bucket } from './s3-bucket.ts';
import { s3TestStore, type S3TestStore } from './s3-store.ts';
import { contentOf } from '../instances/static-files.ts';
import { tempFolder } from '../temp-folder.ts';
import { named } from '../instances/named.ts';
import { GENEROUS_LIMITS } from '../instances/test-instance.ts';
import { openUploadContext } from '../ports/upload-verbs.ts';

/** Only the file service, with its contents in S3. */
export interface FilesOnS3 extends AsyncDisposable {
  readonly files: string;
  readonly store: S3TestStore;
  /** The logged lines. */
  readonly logged: readonly string[];
  addStatic(name: string, bytes: Uint8Array): Promise<void>;
}

/** Starts it on a free port, with its own store, which it reaches through `endpoint` if that is given. */
export async function startFilesOnS3(server: S3Bucket, endpoint?: string): Promise<FilesOnS3> {
  await using resources = new AsyncDisposableStack();
  const store = resources.use(await s3TestStore(server, endpoint));
  const base = resources.use(await openUploadContext());
  const logged: string[] = [];
  const log = jsonLogger('warn', (line) => logged.push(line));
  const folder = resources.use(await tempFolder());
  await writeFile(join(folder.path, 'instance.toml'), named(GENEROUS_LIMITS));
  const { config } = await loadConfig({
    env: { HOST: '127.0.0.1' },
    workingDir: folder.path,
    writeMissingFile: false,
  });
  const limiter = resources.use(memoryLimiter(limitPolicies(config.settings), base.clock));
  const failures = resources.use(new FailureLog(log, base.clock));
  const ctx: Context = { ...base, log, failures, limiter, blobs: store.openNow() };
  const [port = 0] = await freePorts(1);
  const service = servedHttp(ctx, filesService(ctx), {
    unreadSeconds: 120,
    mostRequests: 1_000,
    operation: 'Fetching the file',
  });
  const listener = listenWith(ctx, config.deployment).alone(service, port);
  resources.defer(() => listener.terminate());
  const owned = resources.move();
  return {
    files: `http://127.0.0.1:${port}`,
    store,
    logged,
    addStatic: async (name, bytes) => void (await addStatic(ctx, OWNER, contentOf(name, bytes))),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
