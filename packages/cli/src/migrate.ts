import {
  ConfigError,
  errorMessage,
  loadConfig,
  migrateInstance,
  StartError,
  type Config,
} from '@hearth/server';
import { warnings, type Command, type Invocation, type Surroundings } from './command.ts';
import { doneText, faultText, movedText, progressText } from './migrate-text.ts';
import { OwnerError } from './owner-error.ts';

const TO = 'to';
const BLOBS = 'blobs';

/** Moves an instance from its data folder to servers. */
export const MIGRATE_COMMAND: Command = {
  kind: 'command',
  name: 'migrate',
  about: 'Move a stopped instance from DATA_DIR to PostgreSQL, and its files to S3',
  parameters: [],
  flags: [
    {
      name: TO,
      value: 'url',
      isRequired: true,
      about: 'Empty database to move to, such as postgres://user:password@host:5432/hearth',
    },
    {
      name: BLOBS,
      value: 'url',
      about:
        'Storage to copy the files to, written like BLOBS_URL (default: they stay in DATA_DIR)',
    },
  ],
  details: () => DETAILS,
  async run({ flags }, surroundings) {
    const stop = surroundings.listenForStop();
    const config = await loadMoveConfig(flags, surroundings);
    const { StatusLine } = await import('./chat/status-line.ts');
    using status = new StatusLine(surroundings);
    const printAside = (text: string) => {
      status.clear();
      surroundings.print(text);
    };
    const moving = migrateInstance(config, {
      signal: stop,
      onProgress: (progress) => status.show(progressText(progress)),
      onMoved: (table, contents) => printAside(movedText(table, contents)),
    });
    const report = await moving.catch((error: unknown) => {
      status.clear();
      if (stop.aborted) throw new OwnerError(`stopped: ${GOES_ON}`);
      if (StartError.is(error)) throw error;
      throw new Error(`${errorMessage(error)}: ${GOES_ON}`, { cause: error });
    });
    const faults = report.contents?.faults ?? [];
    const { dataDir } = config.deployment;
    const { instanceId } = report;
    printAside(doneText({ instanceId, dataDir, to: flags.get(TO) ?? '', blobs: flags.get(BLOBS) }));
    for (const fault of faults) surroundings.warn(`hearth: ${faultText(fault)}\n`);
    if (faults.length === 0) return 0;
    surroundings.warn(`hearth: ${faults.length} of the files could not be copied: ${ADVICE}\n`);
    return 1;
  },
};

const GOES_ON = 'run the same command again to continue';

const ADVICE =
  'restore them and run the same command again before you start the instance there, or go on without them';

const DETAILS = `The data of the instance is only read, and stays where it is. If the move is interrupted, run the same command again to
continue. --blobs needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, as BLOBS_URL does. If DATABASE_URL is set already,
use: hearth migrate --to "$DATABASE_URL"`;

/** The configuration, with the flags in place of the environment's addresses. Mistakes name the flags. */
async function loadMoveConfig(
  flags: Invocation['flags'],
  { env, workingDir, warn }: Surroundings,
): Promise<Config> {
  const blobs = flags.get(BLOBS);
  if (blobs === undefined && env['BLOBS_URL']) {
    throw new OwnerError(
      'BLOBS_URL is set: add --blobs "$BLOBS_URL" to copy the files there, or unset it to leave them in DATA_DIR',
    );
  }
  // A move starts no components, so COMPONENTS does not apply.
  const moveEnv = { ...env, COMPONENTS: undefined, DATABASE_URL: flags.get(TO), BLOBS_URL: blobs };
  try {
    const onWarning = warnings(warn);
    const source = { env: moveEnv, workingDir, writeMissingFile: false, onWarning };
    return (await loadConfig(source)).config;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const inFlags = (line: string) =>
      line.replaceAll('DATABASE_URL', `--${TO}`).replaceAll('BLOBS_URL', `--${BLOBS}`);
    throw new ConfigError(error.mistakes.map(inFlags));
  }
}
