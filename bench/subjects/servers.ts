import { areServersMissing, startSharedServers } from '@hearth/testing/servers/shared-servers';
import { freePorts } from '@hearth/testing/free-ports';
import { INSTANCE_FILE, environment, START_ARGUMENTS } from './hearth.ts';
import { join } from 'node:path';
import { endWith, temporaryFolder } from './left-behind.ts';
import { lineLike, RunningSubject, type Subject } from './subject.ts';

/** True if this machine lacks PostgreSQL or Redis, which an instance of several processes needs. */
export { areServersMissing };

/** The whole product in one process, with its own PostgreSQL and Redis. */
export const HEARTH_ON_SERVERS: Subject = {
  name: 'hearth on PostgreSQL and Redis',
  async start() {
    await using resources = new AsyncDisposableStack();
    const shared = await startServers(resources);
    const ports = await threePorts();
    const { pid } = await startProcess(resources, ports, { variables: shared });
    return new RunningSubject([pid], ports, resources.move());
  },
};

/** The things that a benchmark does with the database of several processes. */
export interface SharedDatabase {
  /** Writes data into it before the processes start. */
  readonly prepare?: (url: string) => Promise<void>;
  /** Returns the address at which the gateways reach it. */
  readonly gatewayDatabase?: (url: string) => Promise<string>;
}

/** An instance with one process for REST and some for the gateway. Only those of the gateway are measured. */
export function gatewayProcesses(
  count: number,
  { prepare, gatewayDatabase }: SharedDatabase = {},
): Subject {
  return {
    name: count === 1 ? 'one gateway process' : `${count} gateway processes`,
    async start() {
      await using resources = new AsyncDisposableStack();
      const shared = await startServers(resources);
      const { DATABASE_URL: url } = shared;
      await prepare?.(url);
      const ports = await threePorts();
      await startProcess(resources, ports, {
        variables: { ...shared, COMPONENTS: 'rest,files' },
      });
      const gateway = {
        ...shared,
        DATABASE_URL: (await gatewayDatabase?.(url)) ?? url,
        COMPONENTS: 'gateway',
      };
      const pids: number[] = [];
      const gateways: number[] = [];
      while (pids.length < count) {
        const own = await threePorts();
        const { pid } = await startProcess(resources, own, { variables: gateway });
        pids.push(pid);
        gateways.push(own.gateway);
      }
      return new RunningSubject(pids, { ...ports, gateways }, resources.move());
    },
  };
}

/**
 * An instance with some processes for REST, on a PostgreSQL whose commits survive a power cut, as those of an owner do. It
 * logs no failed requests: the load counts these.
 */
export function restProcesses(
  count: number,
  prepare: (url: string) => Promise<void>,
  instanceFile = INSTANCE_FILE,
): Subject {
  return {
    name: `${count} REST processes`,
    async start() {
      await using resources = new AsyncDisposableStack();
      const shared = await startServers(resources, { isDurable: true });
      await prepare(shared.DATABASE_URL);
      const pids: number[] = [];
      const rests: number[] = [];
      const ports = await threePorts();
      while (pids.length < count) {
        const own = await threePorts();
        const variables = { ...shared, COMPONENTS: 'rest', LOG_LEVEL: 'fatal' };
        const { pid } = await startProcess(resources, own, { variables, instanceFile });
        pids.push(pid);
        rests.push(own.rest);
      }
      const [rest = 0] = rests;
      return new RunningSubject(pids, { ...ports, rest, rests }, resources.move());
    },
  };
}

type Ports = Awaited<ReturnType<typeof threePorts>>;

async function startServers(resources: AsyncDisposableStack, { isDurable = false } = {}) {
  return resources.use(await startSharedServers({ isDurable })).newInstance();
}

/** The environment and the instance file of a process. */
interface ProcessOptions {
  readonly variables: Readonly<Record<string, string>>;
  readonly instanceFile?: string;
}

async function startProcess(
  resources: AsyncDisposableStack,
  ports: Ports,
  { variables, instanceFile = INSTANCE_FILE }: ProcessOptions,
) {
  const { path: cwd } = resources.use(temporaryFolder());
  await Bun.write(join(cwd, 'instance.toml'), instanceFile);
  const child = Bun.spawn([process.execPath, ...START_ARGUMENTS], {
    cwd,
    env: { ...environment(ports, 0), WEB_PORT: 'off', LOG_LEVEL: 'error', ...variables },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'inherit',
  });
  endWith(resources, child);
  await lineLike(child.stdout, /is running/);
  return child;
}

async function threePorts() {
  const [rest = 0, gateway = 0, files = 0] = await freePorts(3);
  return { rest, gateway, files };
}
