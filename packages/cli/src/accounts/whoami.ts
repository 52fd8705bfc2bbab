import { withClient, type InstanceRequest } from '../chat/with-client.ts';
import { jsonLine } from '../chat/line-format.ts';
import type { Surroundings } from '../command.ts';
import { alignColumns, inLine } from '../text.ts';
import { SessionFiles } from './session-files.ts';

/** Prints who is signed in to an instance. Resolves with the exit code. */
export function whoami(
  { asJson, ...instance }: InstanceRequest & { readonly asJson: boolean },
  surroundings: Surroundings,
): Promise<number> {
  const { print, warn } = surroundings;
  return withClient(instance, surroundings, async (client, account) => {
    const where = inLine(client.info.instance_name);
    if (account === undefined) {
      warn(`hearth: you are not signed in to ${where}\n`);
      return 1;
    }
    const user = await client.me();
    const { username, display_name: name } = user;
    const called = name === undefined ? '' : ` (${inLine(name)})`;
    print(asJson ? jsonLine(user) : `${username}${called} on ${where}\n`);
    return 0;
  });
}

/** Prints all sessions that are stored on this machine, without asking their instances. Resolves with the exit code. */
export async function listLogins(
  { asJson }: { readonly asJson: boolean },
  surroundings: Surroundings,
): Promise<number> {
  const sessions = await new SessionFiles(surroundings).list();
  const { print, warn } = surroundings;
  if (asJson) {
    for (const { rest, instance_name, username } of sessions) {
      print(jsonLine({ instance_url: rest, instance_name, username }));
    }
    return 0;
  }
  if (sessions.length === 0) warn('hearth: you are not signed in anywhere\n');
  const rows = sessions.map(({ rest, instance_name: name, username }) => [
    username,
    inLine(name),
    inLine(rest),
  ]);
  if (rows.length > 0) {
    const lines = alignColumns([['NAME', 'SERVER', 'ADDRESS'], ...rows]);
    print(lines.map((line) => `${line}\n`).join(''));
  }
  return sessions.length === 0 ? 1 : 0;
}
