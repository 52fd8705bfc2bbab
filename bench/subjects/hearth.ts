import { join } from 'node:path';
import { freePorts } from '@hearth/testing/free-ports';
import { endWith, temporaryFolder } from './left-behind.ts';
import { lineLike, RunningSubject, type Subject, type SubjectPorts } from './subject.ts';

/** Hearth's own program. */
export const PROGRAM = join(import.meta.dir, '../../scripts/hearth.ts');

/** The arguments of the runtime that start an instance. */
export const START_ARGUMENTS = [PROGRAM, 'start'];

/** Limits that count as usual but are never reached. */
export const INSTANCE_FILE = `instance_name = "Hearth"
registration = "open"
[oprish.rate_limits]
account_create = { reset_after = 5, limit = 1000000000 }
auth = { reset_after = 5, limit = 1000000000 }
write = { reset_after = 5, limit = 1000000000 }
vote = { reset_after = 5, limit = 1000000000 }
moderate = { reset_after = 5, limit = 1000000000 }
message_send = { reset_after = 5, limit = 1000000000 }
info = { reset_after = 5, limit = 1000000000 }
message_create = { reset_after = 5, limit = 1000000000 }
list = { reset_after = 5, limit = 1000000000 }
page = { reset_after = 5, limit = 1000000000 }
read = { reset_after = 5, limit = 1000000000 }
message_list = { reset_after = 5, limit = 1000000000 }
search = { reset_after = 5, limit = 1000000000 }
gateway_connect = { reset_after = 10, limit = 1000000000 }
gateway_events = { reset_after = 60, limit = 1000000000 }
[pandemonium]
rate_limit = { reset_after = 10, limit = 1000000000 }
[effis]
attachment_file_size = "1GB"
[effis.rate_limits]
attachments = { reset_after = 180, limit = 1000000000, file_size_limit = "1000GB" }
fetch_file = { reset_after = 60, limit = 1000000000 }
fetch_media = { reset_after = 60, limit = 1000000000 }
`;

const NO_HISTORY = `
[oprish.history]
messages = 0
`;

/** Usual limits, and a long history. */
export const LONG_HISTORY_FILE = `${INSTANCE_FILE}
[oprish.history]
messages = 10000000
`;

/** The whole product, started like an owner starts it, with its own data. */
export const HEARTH = instance('hearth', INSTANCE_FILE);

/** Hearth, measured at the port of the web client. */
export const HEARTH_AT_WEB_PORT: Subject = { ...HEARTH, name: 'hearth at the web port' };

/** Hearth without a history of messages. */
export const HEARTH_WITHOUT_HISTORY = instance(
  'hearth without history',
  `${INSTANCE_FILE}${NO_HISTORY}`,
);

/** Returns Hearth with a long history, and with the data that `prepare` writes into its folder before the start. */
export function hearthWith(prepare: (folder: string) => Promise<void>): Subject {
  return instance('hearth with data', LONG_HISTORY_FILE, prepare);
}

function instance(
  name: string,
  instanceFile: string,
  prepare?: (folder: string) => Promise<void>,
): Subject {
  return {
    name,
    async start() {
      await using resources = new AsyncDisposableStack();
      const { path: cwd } = resources.use(temporaryFolder());
      const [rest = 0, gateway = 0, files = 0, web = 0] = await freePorts(4);
      const ports = { rest, gateway, files, web };
      await Bun.write(join(cwd, 'instance.toml'), instanceFile);
      await prepare?.(cwd);
      const child = Bun.spawn([process.execPath, ...START_ARGUMENTS], {
        cwd,
        env: environment(ports, web),
        stdin: 'ignore',
        stdout: 'pipe',
        stderr: 'inherit',
      });
      endWith(resources, child);
      await lineLike(child.stdout, /is running/);
      return new RunningSubject([child.pid], ports, resources.move());
    },
  };
}

/** The environment of an instance: its ports, including the one of the web client, which it also serves. */
export function environment(
  { rest, gateway, files }: SubjectPorts,
  web: number,
): Record<string, string> {
  return {
    HOST: '127.0.0.1',
    OPRISH_PORT: String(rest),
    PANDEMONIUM_PORT: String(gateway),
    EFFIS_PORT: String(files),
    WEB_PORT: String(web),
    LOG_LEVEL: 'warn',
  };
}
