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

/** The web client is built beside the bundle; nothing is there where the sources run. */
const WEB_FOLDER = join(import.meta.dirname, 'web');

const ONLY = 'only';

/** By then a start that is not wanted any more is over and stopped, or waits for a server and serves nobody. */
const UNWANTED_START_MS = 2_000;

/** Runs an instance until it is told to stop. */
export const START_COMMAND: Command = {
  kind: 'command',
  name: 'start',
  about: 'Start the instance',
  parameters: [],
  flags: [
    {
      name: ONLY,
      value: 'components',
      about: `Run some of ${COMPONENT_NAMES.join(', ')} in this process, as COMPONENTS says otherwise`,
    },
  ],
  details: () => `Environment variables (a .env file is honoured):\n\n${environmentHelp()}`,
  async run({ flags }, { env, workingDir, print, warn, listenForStop }) {
    const stop = listenForStop();
    const only = flags.get(ONLY);
    const { config, wroteInstanceFile } = await loadConfig({
      env: only === undefined ? env : { ...env, COMPONENTS: only },
      workingDir,
      writeMissingFile: true,
      onWarning: warnings(warn),
    });
    await using instance = await unlessUnwanted(
      startInstance(config, { webFolder: WEB_FOLDER }),
      stop,
    );
    // What came meanwhile goes first: a signal to stop, requests of those who waited.
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
    else (await createLogger(config.deployment.logLevel)).info({ reason }, 'start given up');
    return 0;
  },
};

/** The instance, or undefined where a stop is asked for and the start does not end. */
function unlessUnwanted(
  starting: Promise<Instance>,
  stop: AbortSignal,
): Promise<Instance | undefined> {
  const { promise: isLeft, resolve } = Promise.withResolvers<undefined>();
  const leave = () => void setTimeout(resolve, UNWANTED_START_MS, undefined).unref();
  if (stop.aborted) leave();
  else stop.addEventListener('abort', leave, { once: true });
  return Promise.race([starting, isLeft]);
}
