import {
  createClient,
  identityOf,
  memoryTokens,
  UnauthorizedError,
  type Client,
  type SignedIn,
} from '@hearth/sdk';
import { platform } from 'node:os';
import { reasonOf, withClient, type InstanceRequest } from '../chat/with-client.ts';
import { jsonLine } from '../chat/line-format.ts';
import type { Surroundings } from '../command.ts';
import { inLine } from '../text.ts';
import { Questions } from './ask.ts';
import { SessionFiles, type StoredSession } from './session-files.ts';
import { originOf, sessionsFor } from './stored-tokens.ts';

/** The arguments of `hearth login`. */
export interface LoginRequest extends InstanceRequest {
  /** A username or an email address; undefined if it has to be asked for. */
  readonly user: string | undefined;
  readonly asJson: boolean;
}

interface Login {
  readonly client: Client;
  readonly questions: Questions;
  readonly env: Surroundings['env'];
}

/** The number of times that a person may mistype a password or a code. */
const MOST_ATTEMPTS = 3;

/** Signs in and stores the session. Resolves with the exit code. */
export function login(
  { user, asJson, ...instance }: LoginRequest,
  surroundings: Surroundings,
): Promise<number> {
  const { print, warn, env } = surroundings;
  // With tokens, the SDK does not look for the instance at an http address that was not written as one.
  return withClient({ ...instance, tokens: memoryTokens() }, surroundings, async (client) => {
    using questions = new Questions(surroundings);
    const name = user ?? (await questions.ask('Name or email address: '));
    if (name === undefined) return 1;
    const signedIn = await signIn({ client, questions, env }, name, warn);
    if (signedIn === undefined) return 1;
    const files = new SessionFiles(surroundings);
    const former = await sessionsFor(instance.url, files);
    const { rest, instance_name: where } = await store(files, instance.url, { client, signedIn });
    await end(former, client);
    const { username } = signedIn.user;
    print(
      asJson
        ? jsonLine({ instance_url: rest, instance_name: where, username })
        : `Signed in to ${inLine(where)} as ${username}\n`,
    );
    return 0;
  });
}

/** Undefined if there is no password or code; that was printed. */
async function signIn(
  { client, questions, env }: Login,
  name: string,
  warn: Surroundings['warn'],
): Promise<SignedIn | undefined> {
  let password = env['HEARTH_PASSWORD'] || (await questions.askSecret('Password: '));
  let code = env['HEARTH_CODE'] || undefined;
  for (let attempt = 1; password !== undefined; attempt += 1) {
    const program = { name: 'Hearth terminal', platform: platform() };
    try {
      return await client.signIn({ ...identityOf(name), password, code, client: program });
    } catch (error) {
      if (!(error instanceof UnauthorizedError)) throw error;
      const isMistake = error.code !== 'factor_required' || code !== undefined;
      if (isMistake && (!questions.isInteractive || attempt >= MOST_ATTEMPTS)) throw error;
      if (isMistake) warn(`${reasonOf(error)}\n`);
      if (error.code === 'credentials_wrong') {
        password = await questions.askSecret('Password: ');
      } else {
        code = await questions.askSecret('Code of the second factor: ');
        if (code === undefined) throw error;
      }
    }
  }
  warn('hearth: the password is missing\n');
  return undefined;
}

async function store(
  files: SessionFiles,
  url: string,
  { client: { info }, signedIn }: { client: Client; signedIn: SignedIn },
): Promise<StoredSession> {
  const { oprish_url: rest, instance_name } = info;
  const origins = [...new Set([originOf(url), originOf(rest)])];
  const { user, token } = signedIn;
  const session = { origins, rest, instance_name, username: user.username, token };
  await files.write(session);
  return session;
}

/** Ends the sessions that the new one replaces. If that fails, they go on without anybody who has their tokens. */
async function end(
  former: readonly StoredSession[],
  { info, capabilities }: Client,
): Promise<void> {
  for (const { rest, token } of former) {
    if (rest !== info.oprish_url) continue;
    await using client = createClient(info, { tokens: memoryTokens(token), capabilities });
    await client.signOut().catch(() => undefined);
  }
}
