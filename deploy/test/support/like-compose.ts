import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HearthProcess, type Ending } from '@hearth/testing/programs/hearth-process';
import { run } from '@hearth/testing/programs/runtimes';
import { PORT_VARIABLES } from '../../../packages/server/src/config/environment-options.ts';
import { freePorts } from '@hearth/testing/free-ports';
import { sharedPostgres } from '@hearth/testing/servers/shared-postgres';
import { sharedRedis } from '@hearth/testing/servers/shared-redis';
import { sharedS3 } from '@hearth/testing/servers/use-s3';
import { tempFolder } from '@hearth/testing/temp-folder';
import { builtImage, ROOT, type BuiltImage } from './built-image.ts';
import { startCaddy, type Site } from './caddy.ts';
import { readComposeFile, type Service } from './compose-file.ts';

/** An instance as in compose.scale.yaml, as processes on 127.0.0.1. Disposal kills them. */
export interface LikeCompose extends AsyncDisposable {
  /** The address of Caddy. */
  readonly site: string;
  /** The address of a service itself, as host and port. */
  address(service: string): string;
  /** Kills a service's process as a power cut would; resolves when it has ended. */
  kill(service: string): Promise<void>;
  /** Starts a service again, with the content of its volume; resolves when it is healthy. */
  start(service: string): Promise<void>;
  /** Stops all of Hearth's processes as Compose would. */
  stop(): Promise<readonly Ending[]>;
}

/** Limits that tests from one address do not reach, except for that of GET /, whose window outlasts the tests. */
const LIMITS = `
[oprish.rate_limits.info]
reset_after = 3600
[oprish.rate_limits.message_create]
limit = 10000
[oprish.rate_limits.message_list]
limit = 10000
[pandemonium.rate_limit]
limit = 10000
[effis.rate_limits.fetch_file]
limit = 10000
`;

/** The stores that run in place of those of the file. Their programs have to be installed on the machine. */
interface Stores {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly blobs: Readonly<Record<string, string>>;
}

/**
 * Starts what `docker compose --file compose.scale.yaml up` would start: the stores, then each of Hearth's services from the
 * result of the Dockerfile, with the command and the environment of the file, then Caddy with the repository's Caddyfile.
 * Only the addresses differ: ports of 127.0.0.1 instead of names, and the stores have their own secrets.
 */
export async function startLikeCompose(caddyProgram: string): Promise<LikeCompose> {
  await using resources = new AsyncDisposableStack();
  const folder = resources.use(await tempFolder()).path;
  const [sitePort] = await freePorts(1);
  const site = `http://127.0.0.1:${sitePort}`;
  const secrets = [
    'POSTGRES_PASSWORD',
    'REDIS_PASSWORD',
    'AWS_ACCESS_KEY_ID',
    'AWS_SECRET_ACCESS_KEY',
  ];
  const { services } = readComposeFile(join(ROOT, 'compose.scale.yaml'), {
    SITE: site,
    ...Object.fromEntries(secrets.map((name) => [name, crypto.randomUUID()])),
  });
  const stores = await startStores(resources);
  const image = resources.use(await builtImage());
  const instanceFile = join(folder, 'instance.toml');
  writeFileSync(instanceFile, instanceText(site));
  const places = await placesOf(services);
  const hearths = new Map<string, Hearth>();
  for (const [name, service] of Object.entries(services)) {
    if (service.image !== 'hearth' || service.profiles !== undefined) continue;
    const dataDir = join(folder, name);
    mkdirSync(dataDir);
    const port = Number(places.get(name)?.split(':')[1]);
    const env = environmentOf(service, { stores, instanceFile, dataDir, port });
    hearths.set(name, resources.use(new Hearth(image, service, { ...image.env, ...env })));
  }
  await Promise.all([...hearths.values()].map((hearth) => hearth.start()));
  resources.use(await startCaddy(caddyProgram, siteOf(services['caddy'], places)));
  const hearthOf = (name: string) => {
    const hearth = hearths.get(name);
    if (hearth === undefined) throw new Error(`${name} is not one of Hearth's services`);
    return hearth;
  };
  const owned = resources.move();
  return {
    site,
    address: (name) => places.get(name) ?? '',
    kill: (name) => hearthOf(name).kill(),
    start: (name) => hearthOf(name).start(),
    stop: () => Promise.all([...hearths.values()].map((hearth) => hearth.stop())),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** One of Hearth's services, and its process while it runs. */
class Hearth implements AsyncDisposable {
  readonly #image: BuiltImage;
  readonly #service: Service;
  readonly #env: Readonly<Record<string, string>>;
  #process: HearthProcess | undefined;

  constructor(image: BuiltImage, service: Service, env: Readonly<Record<string, string>>) {
    this.#image = image;
    this.#service = service;
    this.#env = env;
  }

  async start(): Promise<void> {
    const started = new HearthProcess({
      command: this.#image.command(this.#service.command),
      folder: this.#env['DATA_DIR'] ?? '',
      env: this.#env,
    });
    this.#process = started;
    const failed = started.ended.then(({ exitCode, stderr }) => {
      throw new Error(`the service ended with exit code ${exitCode}: ${stderr}`);
    });
    // A later end of the process is not a failure of the start.
    failed.catch(() => undefined);
    await Promise.race([failed, this.#well(started)]);
  }

  async kill(): Promise<void> {
    await this.#process?.[Symbol.asyncDispose]();
  }

  async stop(): Promise<Ending> {
    if (this.#process === undefined) throw new Error('the service was not started');
    return this.#process.stop();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.kill();
  }

  async #well(started: HearthProcess): Promise<void> {
    const { healthCommand, workingDir: cwd } = this.#image;
    while (started === this.#process) {
      const { exitCode } = await run(healthCommand, { cwd, env: this.#env });
      if (exitCode === 0) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

async function startStores(resources: AsyncDisposableStack): Promise<Stores> {
  const postgres = resources.use(await sharedPostgres());
  const redis = resources.use(await sharedRedis());
  const s3 = resources.use(await sharedS3());
  return {
    databaseUrl: await postgres.createDatabase(),
    redisUrl: redis.url,
    blobs: s3.env(crypto.randomUUID()),
  };
}

/** The addresses of Hearth's services. */
async function placesOf(
  services: Readonly<Record<string, Service>>,
): Promise<ReadonlyMap<string, string>> {
  const names = Object.keys(services).filter((name) => services[name]?.image === 'hearth');
  const ports = await freePorts(names.length);
  return new Map(names.map((name, index) => [name, `127.0.0.1:${ports[index]}`]));
}

function environmentOf(
  { environment = {} }: Service,
  own: { stores: Stores; instanceFile: string; dataDir: string; port: number },
): Readonly<Record<string, string>> {
  const { stores, instanceFile, dataDir, port } = own;
  const component = environment['COMPONENTS'] ?? '';
  if (!Object.hasOwn(PORT_VARIABLES, component))
    throw new Error(`more than one component: ${component}`);
  // The health check asks at the ports of all components, and something else may have the default ones.
  const ports = Object.values(PORT_VARIABLES).map((variable) => [variable, String(port)] as const);
  const shared =
    environment['DATABASE_URL'] === undefined
      ? {}
      : { DATABASE_URL: stores.databaseUrl, REDIS_URL: stores.redisUrl, ...stores.blobs };
  return {
    ...environment,
    ...shared,
    HOST: '127.0.0.1',
    ...Object.fromEntries(ports),
    TRUSTED_PROXIES: '127.0.0.1',
    INSTANCE_CONF: instanceFile,
    DATA_DIR: dataDir,
  };
}

/** The environment of Caddy, with the addresses of processes instead of names. */
function siteOf(caddy: Service | undefined, places: ReadonlyMap<string, string>): Site {
  const { SITE = '', ...upstreams } = caddy?.environment ?? {};
  const local = (name: string) =>
    (upstreams[name] ?? '')
      .split(' ')
      .map((address) => places.get(address.split(':')[0] ?? '') ?? '')
      .join(' ');
  return {
    SITE,
    REST: local('REST'),
    GATEWAY: local('GATEWAY'),
    FILES: local('FILES'),
    WEB: local('WEB'),
  };
}

function instanceText(site: string): string {
  return `
instance_name = "Scaled"
public_url = "${site}"
${LIMITS}`;
}
