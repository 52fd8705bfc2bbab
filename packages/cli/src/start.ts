import {
  COMPONENT_NAMES,
  createLogger,
  environmentHelp,
  loadConfig,
  startInstance,
  type Instance,
} from '@hearth/server';
import { join } from 'node:path';
import { bannerText } from './banner.ts';
import { warnings, type Command } from './command.ts';

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
  async run({ flags }, { env, workingDir, print, warn, listenForStop }) {
    const stop = listenForStop();
    const only = flags.get(ONLY);
    const { config, wroteInstanceFile } = await loadConfig({
      env: only === undefined ? env : { ...env, COMPONENTS: only },
      workingDir,
      writeMissingFile: true,
      onWarning: warnings(warn),
    });
    await using instance = await unlessCancelled(
      startInstance(config, { webFolder: WEB_FOLDER }),
      stop,
    );
    // Waiting requests and a signal to stop are handled first.
    await new Promise((resolve) => setTimeout(resolve, 0));
    if (instance !== undefined && !stop.aborted) {
      const { addresses, web } = instance;
      print(bannerText({ ...config, addresses, web, wroteInstanceFile }));
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
