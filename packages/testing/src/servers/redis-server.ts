import { connect } from 'node:net';
import { freePorts } from '../free-ports.ts';
import { tempFolder } from '../temp-folder.ts';
import { until } from '../until.ts';
import { halt } from './halt.ts';

/** A test's own Redis server, which stores nothing on disk. */
export interface RedisServer extends AsyncDisposable {
  readonly url: string;
  /** Kills it, like a power cut. Resolves when it is gone. */
  stop(): Promise<void>;
  /** Starts it again at the same address, without its data. Resolves when it answers. */
  start(): Promise<void>;
  /** Halts it: it keeps its connections and accepts new ones, but does not answer. */
  pause(): void;
  resume(): void;
}

/** The number of databases in the Redis of a run. */
export const REDIS_DATABASES = 4_096;

const PROGRAM = Bun.which('redis-server') ?? Bun.which('valkey-server');

if (PROGRAM === null && process.env['CI'] === 'true') throw new Error('no redis-server on PATH');

/** True if this machine has no Redis, so that tests that need it are skipped. In CI that is an error. */
export const isRedisMissing = PROGRAM === null;

/** Starts a Redis server on a free port of 127.0.0.1, with as many databases as Redis has by default. */
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

/** Resolves with whether a Redis on `port` answers a PING. */
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
