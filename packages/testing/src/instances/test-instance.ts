import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../../server/src/lib/clock.ts';
import { loadConfig } from '../../../server/src/config/load-config.ts';
import type { Logger } from '../../../server/src/log/logger.ts';
import type { Addresses } from '../../../server/src/context.ts';
import { startInstance, type Instance } from '../../../server/src/instance.ts';
import { builtWebFolder } from './built-web-folder.ts';
import { CHEAP_PASSWORDS } from './cheap-passwords.ts';
import { freePorts } from '../free-ports.ts';
import { limitsToml } from './limits-toml.ts';
import { named } from './named.ts';
import { newDataFolder } from './new-data-folder.ts';

/** The options of a test's instance. */
export interface TestInstanceOptions {
  /** The text of the instance file; the default name of the instance is Hearth. */
  readonly toml?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly clock?: Clock;
  /** Without one, it logs nothing. */
  readonly log?: Logger;
  /** A folder with data of an earlier instance; it is not removed at the end. */
  readonly folder?: string;
  /** The web client to serve on a free port: Hearth's own, which is built for it, or the one in this folder. */
  readonly web?: boolean | string;
}

/** A whole instance in this process, on free ports, with its own data. */
export interface TestInstance extends AsyncDisposable {
  readonly addresses: Addresses;
  readonly web: Instance['web'];
  readonly folder: string;
  stop(): Promise<void>;
}

/** Limits that no test reaches. */
export const GENEROUS_LIMITS = limitsToml({ limit: 100_000, file_size_limit: '100GB' });

/** Starts an instance for a test; without options it has {@link GENEROUS_LIMITS}. */
export async function startTestInstance(options: TestInstanceOptions = {}): Promise<TestInstance> {
  const folder = options.folder ?? (await newFolder(options));
  await using cleanUp = new AsyncDisposableStack();
  cleanUp.defer(async () => {
    if (options.folder === undefined) await rm(folder, { recursive: true, force: true });
  });
  const webFolder = options.web === true ? await builtWebFolder() : options.web || undefined;
  await writeFile(join(folder, 'instance.toml'), named(options.toml ?? GENEROUS_LIMITS));
  const { config } = await loadConfig({
    env: { ...(await deployment({ web: webFolder !== undefined })), ...options.env },
    workingDir: folder,
    writeMissingFile: false,
  });
  const instance = await startInstance(config, {
    clock: options.clock,
    log: options.log,
    webFolder,
    passwords: CHEAP_PASSWORDS,
  });
  const stop = () => instance.stop();
  cleanUp.defer(stop);
  const owned = cleanUp.move();
  return {
    addresses: instance.addresses,
    web: instance.web,
    folder,
    stop,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** A new folder; one without a database if the instance uses a server. */
function newFolder({ env = {} }: TestInstanceOptions): Promise<string> {
  return 'DATABASE_URL' in env ? mkdtemp(join(tmpdir(), 'hearth-')) : newDataFolder();
}

/** The address of the web client. Throws if none is served. */
export function webAddressOf({ web }: Pick<TestInstance, 'web'>): string {
  if (web.state !== 'served') throw new Error(`no web client: ${JSON.stringify(web)}`);
  return web.url;
}

/** Environment of an instance on free ports that logs nothing, and by default serves no web client. */
export async function deployment({ web = false } = {}): Promise<Readonly<Record<string, string>>> {
  const [rest, gateway, files, webPort] = await freePorts(4);
  return {
    HOST: '127.0.0.1',
    OPRISH_PORT: String(rest),
    PANDEMONIUM_PORT: String(gateway),
    EFFIS_PORT: String(files),
    WEB_PORT: web ? String(webPort) : 'off',
    LOG_LEVEL: 'silent',
  };
}
