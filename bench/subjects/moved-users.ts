import { writeCommunities } from '@hearth/testing/instances/many-communities';
import { writeUsers } from '@hearth/testing/instances/many-users';
import { embeddedData } from '@hearth/testing/ports/moved-data';
import { join } from 'node:path';
import { INSTANCE_FILE, PROGRAM } from './hearth.ts';
import { temporaryFolder } from './left-behind.ts';

const INSTANCE_ID = '145000000';

/** The number of members of a community. */
const MEMBERS = 10;

/**
 * Fills an empty PostgreSQL database with an instance that has users with a session each, in communities of ten with ten
 * channels. Returns their tokens.
 */
export async function moveUsers(url: string, count: number): Promise<readonly string[]> {
  using folder = temporaryFolder();
  const { path: cwd } = folder;
  await Bun.write(join(cwd, 'instance.toml'), INSTANCE_FILE);
  const tokens = await writeUsers(cwd, count);
  await writeCommunities(cwd, {
    communities: Math.floor(count / MEMBERS),
    channels: 10,
    membersOf: (community) => Array.from({ length: MEMBERS }, (_, at) => community * MEMBERS + at),
  });
  await nameInstance(join(cwd, 'data'));
  const moving = Bun.$`${process.execPath} ${PROGRAM} migrate --to ${url}`.cwd(cwd);
  const { exitCode, stderr } = await moving.nothrow().quiet();
  if (exitCode !== 0) throw new Error(`the users cannot be moved: ${stderr.toString()}`);
  return tokens;
}

/** Only an instance that has run can be moved. */
async function nameInstance(path: string): Promise<void> {
  await using data = await embeddedData(path);
  await data.database.transaction(({ sql }) =>
    sql.insertInto('settings').values({ name: 'instance_id', value: INSTANCE_ID }).execute(),
  );
}
