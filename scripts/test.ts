/**
 * Runs tests: `bun scripts/test.ts [--quick | --long] [arguments of bun test]`. Everything that tests share (servers, a
 * browser, the built program) is made once. The servers are stopped at the end, also after a failure or Ctrl-C.
 */
import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { CHROMIUM_PATH, startChromiumServer } from '@hearth/testing/browser/chromium';
import { MISSING } from '@hearth/testing/browser/real/real-browser-test';
import { hasPostgres, startPostgres } from '@hearth/testing/servers/postgres-server';
import {
  isRedisMissing,
  REDIS_DATABASES,
  startRedisServer,
} from '@hearth/testing/servers/redis-server';
import { isS3Missing, startS3Server } from '@hearth/testing/servers/s3-server';
import { environmentOf, type TestRun } from '@hearth/testing/test-run';
import { NATIVE_LIBRARIES } from './native-libraries.ts';

const ROOT = join(import.meta.dirname, '..');
const TIMINGS = 'packages/testing/timings.json';

/** The number of files that run at once: more than half of the time, a file waits for servers, browsers and timers. */
const WORKERS = 3 * availableParallelism();

/** Tests mostly wait for disks, so their data is in memory. The long tier uses a disk, because it is about power cuts. */
const MEMORY = '/dev/shm';
const ENOUGH_MEMORY_BYTES = 4 * 1024 ** 3;

const [tier, words] = tierOf(process.argv.slice(2));

/** For tests that hang. On a slow machine, beside five others, the longest of the long tier takes two minutes. */
const TEST_TIMEOUT_MS = tier === 'long' ? 300_000 : 120_000;

/** The long tier tries properties ten times as often. */
const LONG_RUNS: Readonly<Record<string, string>> = tier === 'long' ? { TEST_RUNS: '10' } : {};

/**
 * The last of the runtime's compilers costs a tenth of the processor time, more than the code of most tests gains by it.
 * Another tenth goes to giving free memory back to the system, only to take it again, and another to collecting garbage
 * every second, besides when the heap has grown, and to memory that each process prepares in advance.
 */
const RUNTIME: Readonly<Record<string, string>> =
  tier === 'long'
    ? {}
    : {
        BUN_JSC_useFTLJIT: '0',
        MIMALLOC_PURGE_DELAY: '-1',
        BUN_GC_TIMER_DISABLE: '1',
        BUN_JSC_useWarmUpMarkedBlocks: '0',
      };

await using resources = new AsyncDisposableStack();
const stop = Promise.withResolvers<number>();
process.on('SIGINT', () => stop.resolve(130));
process.on('SIGTERM', () => stop.resolve(143));
const folder = temporaryFolder();
// A signal ends the run only when all servers have started, so that all are stopped.
const shared = tier === 'quick' ? {} : await startShared();
process.exitCode = await Promise.race([stop.promise, runTests()]);

type Tier = 'quick' | 'usual' | 'long';

function tierOf([first = '', ...rest]: readonly string[]): readonly [Tier, readonly string[]] {
  if (first === '--quick') return ['quick', rest];
  if (first === '--long') return ['long', rest];
  return ['usual', first === '' ? rest : [first, ...rest]];
}

async function runTests(): Promise<number> {
  // All files of a worker share their modules: loading them for each file takes a third of the quick tier's time.
  const workers = [`--parallel=${WORKERS}`, '--no-isolate', `--timings=${TIMINGS}`];
  const command = [process.execPath, 'test', ...workers];
  const child = Bun.spawn([...command, `--timeout=${TEST_TIMEOUT_MS}`, ...chosen(), ...words], {
    cwd: ROOT,
    env: { ...LONG_RUNS, ...RUNTIME, ...process.env, ...environmentOf(shared), TMPDIR: folder },
    stdio: ['inherit', 'inherit', 'inherit'],
  });
  resources.defer(async () => {
    child.kill();
    await child.exited;
  });
  return await child.exited;
}

/** The arguments that select the files of the tier. */
function chosen(): readonly string[] {
  if (tier === 'long') return ['.long.test.ts', '.properties.'];
  if (tier === 'quick') return ['--path-ignore-patterns=**/*.{engine,browser,long}.test.ts'];
  const isAskedFor = words.some((word) => word.includes('.long.test.ts'));
  return isAskedFor ? [] : ['--path-ignore-patterns=**/*.long.test.ts'];
}

/** Makes a folder for all temporary files of the tests. */
function temporaryFolder(): string {
  const parent = tier !== 'long' && hasMemory() ? MEMORY : tmpdir();
  const folder = mkdtempSync(join(parent, 'hearth-tests-'));
  resources.defer(() => rmSync(folder, { recursive: true, force: true }));
  // For servers and tests that run as another user.
  chmodSync(folder, 0o755);
  // The servers that are started below keep their data there too.
  process.env['TMPDIR'] = folder;
  return folder;
}

function hasMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= ENOUGH_MEMORY_BYTES;
  } catch {
    return false;
  }
}

async function startShared(): Promise<TestRun> {
  const [program, helpers, postgres, redis, s3, chromium] = await Promise.all([
    buildProgram(),
    buildHelpers(),
    hasPostgres ? owned(startPostgres()) : missing('PostgreSQL'),
    isRedisMissing ? missing('Redis') : owned(startRedisServer({ databases: REDIS_DATABASES })),
    isS3Missing ? missing('SeaweedFS (or SEAWEEDFS, which names it)') : owned(startS3Server()),
    CHROMIUM_PATH === undefined
      ? missing('Chromium (or CHROMIUM, which names it)')
      : owned(startChromium()),
  ]);
  for (const browser of Object.values(MISSING)) if (browser !== undefined) missing(browser);
  return {
    ...program,
    helpers,
    ...(postgres && { postgres: await postgres.share() }),
    ...(redis && { redis: redis.url }),
    ...(s3 && { s3: { endpoint: s3.endpoint, credentials: s3.credentials } }),
    ...(chromium && { chromium: chromium.wsEndpoint() }),
  };
}

/** Stops a server at the end, or as soon as it has started if another one has failed to. */
async function owned<S extends AsyncDisposable>(starting: Promise<S>): Promise<S> {
  const server = await starting;
  if (resources.disposed) await server[Symbol.asyncDispose]();
  else resources.use(server);
  return server;
}

async function startChromium() {
  const server = await startChromiumServer({ isLong: tier === 'long' });
  return {
    wsEndpoint: () => server.wsEndpoint(),
    [Symbol.asyncDispose]: () => server.close(),
  };
}

/** The bundle that `bun start` runs, with the web client next to it; it is made only if something has changed. */
async function buildProgram(): Promise<Pick<TestRun, 'program' | 'web'>> {
  const child = Bun.spawn([process.execPath, 'scripts/hearth.ts', '--version'], { cwd: ROOT });
  await child.exited;
  const { bundle }: { bundle: string } = JSON.parse(
    readFileSync(join(ROOT, 'dist/current'), 'utf8'),
  );
  const program = join(ROOT, bundle);
  return { program, web: join(program, '../web') };
}

/** Bundles the helper processes of tests, so that they start in two thirds of the time. `dist` has the native libraries. */
async function buildHelpers(): Promise<string> {
  const outdir = join(ROOT, `dist/.helpers-${crypto.randomUUID()}`);
  resources.defer(() => rmSync(outdir, { recursive: true, force: true }));
  await Bun.build({
    entrypoints: [join(ROOT, 'packages/testing/src/run-helper.ts')],
    outdir,
    target: 'bun',
    format: 'cjs',
    bytecode: true,
    external: Object.keys(NATIVE_LIBRARIES),
  });
  // Otherwise the package of the repository makes it a module.
  writeFileSync(join(outdir, 'package.json'), '{ "type": "commonjs" }');
  return join(outdir, 'run-helper.js');
}

function missing(what: string): undefined {
  process.stderr.write(`SKIPPED: every test that needs ${what}, because it is not installed.\n`);
  return undefined;
}
