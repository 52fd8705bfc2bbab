import { connect } from 'node:net';
import { freePorts } from '../free-ports.ts';
import { tempFolder } from '../temp-folder.ts';
import { until } from '../until.ts';
import { halt } from './halt.ts';

/** A Redis server of a test's own, which keeps nothing on disk. */
export interface RedisServer extends AsyncDisposable {
  readonly url: string;
  /** Ends it as a power cut would; resolves when it is gone. */
  stop(): Promise<void>;
  /** Starts it again at the same address, with nothing of what it held; resolves when it answers. */
  start(): Promise<void>;
  /** Halts it: it keeps its connections and accepts others, and answers nothing. */
  pause(): void;
  resume(): void;
}

/** How many databases the Redis of a run has. */
export const REDIS_DATABASES = 4_096;

const PROGRAM = Bun.which('redis-server') ?? Bun.which('valkey-server');

if (PROGRAM === null && process.env['CI'] === 'true') throw new Error('no redis-server on PATH');

/** Whether this machine has no Redis, so that what needs one is skipped; in CI that is an error. */
export const isRedisMissing = PROGRAM === null;

/** Starts a Redis server on a free port of 127.0.0.1, with as many databases as Redis has by itself. */
export async function startRedisServer({ databases = 16 } = {}): Promise<RedisServer> {
  const [port = 0] = await freePorts(1);
  const folder = await tempFolder();
  const options = { port, dir: folder.path, databases };
  let child = await run(options);
  const stop = async () => {
    child.kill('SIGKILL');
    await child.exited;
  };
  return {
    url: `redis://127.0.0.1:${port}`,
    stop,
    async start() {
      child = await run(options);
    },
    pause: () => halt(child.pid),
    resume: () => child.kill('SIGCONT'),
    async [Symbol.asyncDispose]() {
      await stop();
      await folder[Symbol.asyncDispose]();
    },
  };
}

async function run(own: { port: number; dir: string; databases: number }) {
  const options = { ...own, bind: '127.0.0.1', save: '', appendonly: 'no' };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const child = Bun.spawn([PROGRAM ?? 'redis-server', ...args], {
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'inherit',
  });
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`redis-server ended with ${child.exitCode}`);
    return answers(own.port);
  });
  return child;
}

/** Whether a Redis on `port` answers a PING. */
function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    socket.once('data', (data) => {
      socket.destroy();
      resolve(data.toString().startsWith('+PONG'));
    });
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
  });
}
