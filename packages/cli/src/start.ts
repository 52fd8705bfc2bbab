import {
  COMPONENT_NAMES,
  createLogger,
  environmentHelp,
  isEverywhere,
  loadConfig,
  startInstance,
  type Config,
  type Instance,
  type WebClient,
} from '@hearth/server';
import { join } from 'node:path';
import { fstatSync } from 'node:fs';
import { bannerText, sharedAddress } from './banner.ts';
import { chooseDoors } from './choose-doors.ts';
import { warnings, type Command, type Surroundings } from './command.ts';
import { networkHost } from './network-address.ts';
import { qrCode } from './qr-code.ts';

/** The web client is built beside the bundle. If the sources run, this folder does not exist. */
const WEB_FOLDER = join(import.meta.dirname, 'web');

const ONLY = 'only';

/** A cancelled start that has not ended by then is waiting for a server, and serves nobody. */
const CANCELLED_START_MS = 2_000;

/** Runs an instance until a signal stops it. */
export const START_COMMAND: Command = {
  kind: 'command',
  name: 'start',
  about: 'Start the instance',
  parameters: [],
  flags: [
    {
      name: ONLY,
      value: 'components',
      about: `Run only these components, separated by commas: ${COMPONENT_NAMES.join(', ')}`,
    },
  ],
  details: () =>
    `Environment variables (they can also be set in a .env file):\n\n${environmentHelp()}`,
  async run({ flags }, surroundings) {
    const { env, workingDir, print, warn, streams, listenForStop } = surroundings;
    const stop = listenForStop();
    const only = flags.get(ONLY);
    const { config, wroteInstanceFile } = await loadConfig({
      env: only === undefined ? env : { ...env, COMPONENTS: only },
      workingDir,
      writeMissingFile: true,
      chooseFirst: () => chooseDoors(surroundings, stop),
      onWarning: warnings(warn),
    });
    await using instance = await unlessCancelled(
      startInstance(config, { webFolder: WEB_FOLDER }),
      stop,
    );
    // Waiting requests and a signal to stop are handled first.
    await new Promise((resolve) => setTimeout(resolve, 0));
    if (instance !== undefined && !stop.aborted) {
      const { addresses, web, ownerInvite } = instance;
      const { publicUrl } = config.settings;
      const networkUrl = networkUrlOf(config, web);
      const shared = sharedAddress({ web, publicUrl, networkUrl });
      const qr = shared === undefined ? undefined : await qrCodeFor(shared, streams);
      print(
        bannerText({
          ...config,
          addresses,
          web,
          ownerInvite,
          publicUrl,
          networkUrl,
          qrCode: qr,
          wroteInstanceFile,
        }),
      );
      await new Promise((resolve) => {
        stop.addEventListener('abort', resolve);
      });
    }
    print('Stopping…\n');
    const reason = String(stop.reason);
    if (instance !== undefined) await instance.stop(reason);
    else (await createLogger(config.deployment.logLevel)).info({ reason }, 'start cancelled');
    return 0;
  },
};

/** Returns where the local network opens the web client, if the instance listens there. */
function networkUrlOf({ deployment }: Config, web: WebClient): string | undefined {
  const { host, webPort } = deployment;
  if (web.state !== 'served' || !isEverywhere(host)) return undefined;
  const found = networkHost();
  return found === undefined ? undefined : `http://${found}:${webPort}`;
}

/** The QR code of an address, if the output is a terminal in which it fits. */
async function qrCodeFor(
  address: string,
  streams: Surroundings['streams'],
): Promise<string | undefined> {
  // The stream is loaded only if it can be a terminal.
  if (!isDevice(1)) return undefined;
  const { isTTY, columns, rows } = streams.stdout;
  return isTTY ? qrCode(address, { columns, rows }) : undefined;
}

function isDevice(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isCharacterDevice();
  } catch {
    return false;
  }
}

/** The instance, or undefined if a stop is requested and the start does not end. */
function unlessCancelled(
  starting: Promise<Instance>,
  stop: AbortSignal,
): Promise<Instance | undefined> {
  const { promise: isLeft, resolve } = Promise.withResolvers<undefined>();
  const leave = () => void setTimeout(resolve, CANCELLED_START_MS, undefined).unref();
  if (stop.aborted) leave();
  else stop.addEventListener('abort', leave, { once: true });
  return Promise.race([starting, isLeft]);
}
