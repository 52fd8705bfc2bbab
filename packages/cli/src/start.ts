import { COMPONENT_NAMES, environmentHelp, loadConfig, startInstance } from '@hearth/server';
import { join } from 'node:path';
import { bannerText } from './banner.ts';
import type { Command } from './command.ts';

/** The web client is built beside the bundle; nothing is there where the sources run. */
const WEB_FOLDER = join(import.meta.dirname, 'web');

const ONLY = 'only';

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
  async run({ flags }, { env, workingDir, print, listenForStop }) {
    const stop = listenForStop();
    const only = flags.get(ONLY);
    const { config, wroteInstanceFile } = await loadConfig({
      env: only === undefined ? env : { ...env, COMPONENTS: only },
      workingDir,
      writeMissingFile: true,
    });
    await using instance = await startInstance(config, { webFolder: WEB_FOLDER });
    // What came meanwhile goes first: a signal to stop, requests of those who waited.
    await new Promise((resolve) => setTimeout(resolve, 0));
    if (!stop.aborted) {
      const { addresses, web } = instance;
      print(bannerText({ ...config, addresses, web, wroteInstanceFile }));
      await new Promise((resolve) => {
        stop.addEventListener('abort', resolve);
      });
    }
    print('Stopping…\n');
    await instance.stop();
    return 0;
  },
};
