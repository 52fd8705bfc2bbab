import { expect } from 'bun:test';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../../server/src/lib/clock.ts';
import { loadConfig } from '../../../server/src/config/load-config.ts';
import type { Config } from '../../../server/src/config/config.ts';
import type { Addresses } from '../../../server/src/context.ts';
import { startInstance, type Instance } from '../../../server/src/instance.ts';
import { inviteLink } from '@hearth/protocol';
import { freePorts } from '@hearth/testing/free-ports';
import { readContents } from '@hearth/testing/clients/history-client';
import { CHEAP_PASSWORDS } from '@hearth/testing/instances/cheap-passwords';
import { GENEROUS_LIMITS } from '@hearth/testing/instances/test-instance';
import { upload } from '@hearth/testing/clients/upload-form';
import { builtWebFolder } from '@hearth/testing/instances/built-web-folder';
import { TcpRelay } from '@hearth/testing/servers/tcp-relay';

/** Name and description of an instance, before its other settings. */
const WHO = 'instance_name = "Lantern Street"\ndescription = "Neighbours, and what they grow."\n';

/** The options of a test's instance. */
export interface WebInstanceOptions {
  /** The lines of the instance file with its name and description. */
  readonly who?: string;
  /** The rest of the instance file; {@link GENEROUS_LIMITS} unless given. */
  readonly toml?: string;
  /** Clients reach it through lines that can be cut. */
  readonly hasLines?: boolean;
  readonly clock?: Clock;
  /** The folder of another web client than the built one. */
  readonly webFolder?: string;
  /** Further variables of the environment. */
  readonly env?: Readonly<Record<string, string>>;
}

/** The lines between clients and the three components. */
export interface Lines {
  readonly rest: TcpRelay;
  readonly gateway: TcpRelay;
  readonly files: TcpRelay;
}

/** A real instance with its built web client, on ports that stay the same when it is started again. */
export class WebInstance implements AsyncDisposable {
  /** The address that a person opens. */
  readonly url: string;
  /** The addresses that clients get. */
  readonly addresses: Addresses;
  readonly lines: Lines | undefined;
  readonly folder: string;
  readonly #config: Config;
  readonly #hasOwnClock: boolean;
  /** The addresses without the lines. */
  readonly #direct: { readonly addresses: Addresses };
  readonly #cleanUp: AsyncDisposableStack;
  #running: Instance | undefined;

  private constructor(
    parts: Pick<WebInstance, 'folder' | 'lines' | 'url'> & { config: Config; hasOwnClock: boolean },
    running: Instance,
    cleanUp: AsyncDisposableStack,
  ) {
    this.folder = parts.folder;
    this.lines = parts.lines;
    this.url = parts.url;
    this.addresses = running.addresses;
    this.#config = parts.config;
    this.#hasOwnClock = parts.hasOwnClock;
    const { restPort, gatewayPort, filesPort } = parts.config.deployment;
    this.#direct = {
      addresses: {
        rest: `http://127.0.0.1:${restPort}`,
        gateway: `ws://127.0.0.1:${gatewayPort}`,
        files: `http://127.0.0.1:${filesPort}`,
      },
    };
    this.#running = running;
    this.#cleanUp = cleanUp;
  }

  static async start(options: WebInstanceOptions = {}): Promise<WebInstance> {
    await using cleanUp = new AsyncDisposableStack();
    const folder = await mkdtemp(join(tmpdir(), 'hearth-'));
    cleanUp.defer(() => rm(folder, { recursive: true, force: true }));
    await writeFile(
      join(folder, 'instance.toml'),
      (options.who ?? WHO) + (options.toml ?? GENEROUS_LIMITS),
    );
    const [rest = 0, gateway = 0, files = 0, web = 0] = await freePorts(4);
    const { config } = await loadConfig({
      env: {
        HOST: '127.0.0.1',
        OPRISH_PORT: String(rest),
        PANDEMONIUM_PORT: String(gateway),
        EFFIS_PORT: String(files),
        WEB_PORT: String(web),
        LOG_LEVEL: 'silent',
        ...options.env,
      },
      workingDir: folder,
      writeMissingFile: false,
    });
    const lines = options.hasLines === true ? await layLines({ rest, gateway, files }) : undefined;
    if (lines !== undefined) for (const line of Object.values(lines)) cleanUp.use(line);
    const lineConfig = lines === undefined ? config : withAddresses(config, lines);
    const running = await startInstance(lineConfig, {
      webFolder: options.webFolder ?? (await builtWebFolder()),
      clock: options.clock,
      passwords: CHEAP_PASSWORDS,
    });
    const url = `http://127.0.0.1:${web}/`;
    const hasOwnClock = options.clock !== undefined;
    const parts = { folder, lines, config: lineConfig, url, hasOwnClock };
    return new WebInstance(parts, running, cleanUp.move());
  }

  /** The link in the banner with which the owner makes their account. */
  get ownerLink(): string {
    return inviteLink(this.url, this.#running?.ownerInvite ?? '');
  }

  /** Stops it, as its owner would; its data stay. */
  async stop(): Promise<void> {
    await this.#running?.stop();
    this.#running = undefined;
  }

  /** Starts it again in the same place, with its data, after its owner changed these settings. */
  async startAgain(changed: { readonly messageLimit?: number } = {}): Promise<void> {
    await this.stop();
    const { settings } = this.#config;
    const { messageLimit = settings.rest.messageLimit } = changed;
    const config = {
      ...this.#config,
      settings: { ...settings, rest: { ...settings.rest, messageLimit } },
    };
    this.#running = await startInstance(config, {
      webFolder: await builtWebFolder(),
      passwords: CHEAP_PASSWORDS,
    });
  }

  /** Cuts all lines, or repairs them. */
  setOnline(isOnline: boolean): void {
    if (this.lines === undefined) throw new Error('this instance has no lines');
    for (const line of Object.values(this.lines)) {
      if (isOnline) line.mend();
      else line.cut();
    }
  }

  /** Resolves with what the newest messages say, the oldest first. */
  async contents(count: number): Promise<readonly string[]> {
    return (await readContents(this.#direct, `?limit=${count}`)).toReversed();
  }

  /** Posts as somebody without a browser would, without the lines. */
  async post(content: string, author = 'Ada'): Promise<void> {
    const answer = await fetch(`${this.#direct.addresses.rest}/messages`, {
      method: 'POST',
      body: JSON.stringify({ author, content }),
      // A stop waits for open connections, which a test's own clock never cuts.
      keepalive: !this.#hasOwnClock,
    });
    expect([answer.status, await answer.text()]).toEqual([200, expect.any(String)]);
  }

  /** Stores a file as somebody without a browser would, and returns its address. */
  async store(data: string | Uint8Array, name: string): Promise<string> {
    return `${this.addresses.files}/${(await upload(this.#direct.addresses.files, data, name)).id}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await this.#cleanUp.disposeAsync();
  }
}

async function layLines(ports: Readonly<Record<keyof Lines, number>>): Promise<Lines> {
  const [rest, gateway, files] = await Promise.all([
    TcpRelay.to(ports.rest),
    TcpRelay.to(ports.gateway),
    TcpRelay.to(ports.files),
  ]);
  return { rest, gateway, files };
}

function withAddresses(config: Config, lines: Lines): Config {
  const at = (line: TcpRelay) => `127.0.0.1:${line.port}`;
  const { settings } = config;
  return {
    ...config,
    settings: {
      ...settings,
      rest: { ...settings.rest, url: `http://${at(lines.rest)}` },
      gateway: { ...settings.gateway, url: `ws://${at(lines.gateway)}` },
      files: { ...settings.files, url: `http://${at(lines.files)}` },
    },
  };
}
