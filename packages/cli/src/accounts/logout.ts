import { withClient, type InstanceRequest } from '../chat/with-client.ts';
import type { Surroundings } from '../command.ts';
import { inLine } from '../text.ts';
import { SessionFiles } from './session-files.ts';
import { isAddress, sessionsFor } from './stored-tokens.ts';

/** Ends the session of an address and removes its token. Resolves with the exit code. */
export async function logout(
  request: InstanceRequest,
  surroundings: Surroundings,
): Promise<number> {
  const { print, warn } = surroundings;
  const files = new SessionFiles(surroundings);
  const sessions = isAddress(request.url) ? await sessionsFor(request.url, files) : [];
  const exitCode = await withClient(request, surroundings, async (client, account) => {
    const where = inLine(client.info.instance_name);
    if (account === undefined) {
      warn(`hearth: you are not signed in to ${where}\n`);
      return 1;
    }
    await client.signOut();
    print(`Signed out of ${where}\n`);
    return 0;
  });
  if (exitCode === 0) return exitCode;
  for (const session of sessions) {
    await files.remove(session);
    const where = inLine(session.instance_name);
    warn(`hearth: the token for ${where} was removed, but its session may go on\n`);
  }
  return exitCode;
}
