import { named } from '@hearth/testing/instances/named';
import { expect, test } from 'bun:test';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { OWNER } from '../src/actor.ts';
import { startComponents } from '../src/components/start-components.ts';
import { loadConfig } from '../src/config/load-config.ts';
import { listUploads } from '../src/features/files/uploads/list-uploads.ts';
import { FailureLog } from '../src/log/failure-log.ts';
import { jsonLogger } from '../src/log/logger.ts';
import { countedIds } from '@hearth/testing/ports/id-source';
import { readError } from '@hearth/testing/clients/read-error';
import { storedFiles } from '@hearth/testing/instances/stored-files';
import { tempFolder } from '@hearth/testing/temp-folder';
import { openTestContext } from '@hearth/testing/instances/test-context';
import { deployment, GENEROUS_LIMITS } from '@hearth/testing/instances/test-instance';
import { encodeForm, filePart, postForm, readFileData } from '@hearth/testing/clients/upload-form';

const LONGEST_NAME = 'x'.repeat(255);
/** This many uploads with that name need more pages than an empty database has. */
const MANY = 50;

test('[ER6][OP16][FS20] an upload on a full disk is answered with 500 without the reason, which is logged', async () => {
  await using folder = await tempFolder();
  await writeFile(join(folder.path, 'instance.toml'), named(GENEROUS_LIMITS));
  const env = await deployment();
  const { config } = await loadConfig({ env, workingDir: folder.path, writeMissingFile: false });
  await using owner = await openTestContext({ folder: folder.path });
  const logged: unknown[] = [];
  const log = jsonLogger('info', (line) => logged.push(JSON.parse(line)));
  using failures = new FailureLog(log, owner.clock);
  const ids = countedIds();
  await using _doors = await startComponents({ ...owner, ids, log, failures }, config);
  const upload = (content: string) =>
    postForm(`http://127.0.0.1:${env['EFFIS_PORT']}`, encodeForm(filePart(content, LONGEST_NAME)));
  const allowPages = (most: number) =>
    owner.database.transaction(({ sql: writer }) =>
      sql`pragma max_page_count = ${sql.lit(most)}`.execute(writer),
    );

  // A limit below the number of pages in use means exactly that number.
  await allowPages(1);
  const answers: Response[] = [];
  for (let index = 0; index < MANY; index += 1) answers.push(await upload(`${index}`));
  const taken = answers.filter(({ status }) => status === 200);
  const faults = answers.filter(({ status }) => status !== 200);
  expect(faults.length).toBeGreaterThan(0);
  for (const fault of faults) {
    const { status, message, data } = await readError(fault);
    expect(status).toBe(500);
    expect(JSON.stringify({ message, data })).not.toMatch(/SQLITE|disk|full|transaction/i);
  }
  const entry = { level: 50, err: { code: 'SQLITE_FULL' }, msg: 'request failed' };
  expect(logged.slice(0, 10)).toMatchObject(faults.slice(0, 10).map(() => entry));
  expect(await listUploads(owner, OWNER)).toHaveLength(taken.length);
  const { contents, incoming } = await storedFiles(folder.path);
  expect([contents.length, incoming]).toEqual([taken.length, []]);

  await allowPages(1_000_000);
  await readFileData(await upload('when there is room again'));
});
