import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '../../packages/server/test/support/free-ports.ts';
import { lineLike, RunningSubject, type Subject } from './subject.ts';

const MAIN = join(import.meta.dir, '../../scripts/hearth.ts');

/** Limits count as ever; they are only never reached. */
const INSTANCE_FILE = `
[oprish.rate_limits]
info = { reset_after = 5, limit = 1000000000 }
message_create = { reset_after = 5, limit = 1000000000 }
[pandemonium]
rate_limit = { reset_after = 10, limit = 1000000000 }
[effis]
attachment_file_size = "1GB"
[effis.rate_limits]
attachments = { reset_after = 180, limit = 1000000000, file_size_limit = "1000GB" }
fetch_file = { reset_after = 60, limit = 1000000000 }
`;

/** The whole product, started as its owner starts it, with data of its own. */
export const HEARTH: Subject = {
  name: 'hearth',
  async start() {
    const folder = await mkdtemp(join(tmpdir(), 'hearth-bench-'));
    const removeFolder = () => rm(folder, { recursive: true, force: true });
    const [rest = 0, gateway = 0, files = 0] = await freePorts(3);
    await Bun.write(join(folder, 'instance.toml'), INSTANCE_FILE);
    const child = Bun.spawn([process.execPath, MAIN, 'start'], {
      cwd: folder,
      env: {
        HOST: '127.0.0.1',
        OPRISH_PORT: String(rest),
        PANDEMONIUM_PORT: String(gateway),
        EFFIS_PORT: String(files),
        LOG_LEVEL: 'warn',
      },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'inherit',
    });
    await lineLike(child.stdout, /is running/);
    return new RunningSubject(child, { rest, gateway, files }, removeFolder);
  },
};
