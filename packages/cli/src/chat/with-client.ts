import {
  accessCodeOf,
  connect,
  FeatureUnavailableError,
  ForbiddenError,
  HearthError,
  NetworkError,
  RateLimitedError,
  UnauthorizedError,
  type Client,
  type TokenStorage,
} from '@hearth/sdk';
import { refusalReason } from '../accounts/refusals.ts';
import { SessionFiles } from '../accounts/session-files.ts';
import { isAddress, sessionsFor, StoredTokens } from '../accounts/stored-tokens.ts';
import type { Surroundings } from '../command.ts';
import { formatTime, inLine } from '../text.ts';
import { rightService } from './wrong-service.ts';

const CODE_MISSING =
  'the server needs its access code: use --access-code, an address with #code= or HEARTH_ACCESS_CODE';

const BUSY = 'too much is happening there at once: try again in a moment';

const FAILED = 1;
const MISUSED = 2;

/** Readable reasons for the runtime's errors if there was no connection at all. */
const UNREACHED_REASONS: ReadonlyMap<unknown, string> = new Map([
  ['ConnectionRefused', 'nothing listens there'],
  ['ECONNREFUSED', 'nothing listens there'],
  ['ENOTFOUND', 'there is no such host'],
]);

const NETWORK_REASONS: ReadonlyMap<unknown, string> = new Map([
  ...UNREACHED_REASONS,
  ['ECONNRESET', 'the connection was lost'],
  ['ConnectionClosed', 'the connection was lost'],
]);

/** The reason for an error, in one line. Texts from the server are safe to print on a terminal. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return inLine(String(error));
  if (error instanceof FeatureUnavailableError) return `this server has no ${error.feature}`;
  const refusal = error instanceof UnauthorizedError ? refusalReason(error) : undefined;
  if (refusal !== undefined) return refusal;
  if (error instanceof ForbiddenError) return inLine(forbiddenReason(error));
  if (error instanceof RateLimitedError && error.code === 'busy') return BUSY;
  const { message } = error;
  const known = error instanceof NetworkError ? NETWORK_REASONS.get(codeOf(error)) : undefined;
  return inLine(known === undefined ? lowered(message) : `cannot reach the server: ${known}`);
}

function forbiddenReason({ code, message, permission, untilMs }: ForbiddenError): string {
  if (code === 'permission_missing' && permission !== undefined) {
    return `you may not do this: you lack the permission ${permission}`;
  }
  const isTimedOut = code === 'timed_out' && untilMs !== undefined;
  return isTimedOut ? `you are timed out until ${formatTime(untilMs)}` : lowered(message);
}

/** A message that continues a line does not begin with a capital letter. */
function lowered(message: string): string {
  return message.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
}

/** Returns whether there was no connection at all. Then the request was certainly not handled. */
function isUnreached(error: NetworkError): boolean {
  return UNREACHED_REASONS.has(codeOf(error));
}

/** Returns what a person reads about a message that was not sent. */
export function failureNotice(content: string, error: unknown): string {
  // Without an answer, the message may have been accepted.
  const isUncertain = error instanceof NetworkError && !isUnreached(error);
  const what = isUncertain ? 'may not have been sent' : 'not sent';
  return `${what} (${reasonOf(error)}): ${content}`;
}

function codeOf({ cause }: NetworkError): unknown {
  return cause instanceof Error && 'code' in cause ? cause.code : undefined;
}

/** The instance that a command uses. */
export interface InstanceRequest {
  readonly url: string;
  /** Its access code; undefined if none was given as a flag. */
  readonly accessCode?: string | undefined;
  /** True if a session that is stored for it is ignored. */
  readonly asGuest?: boolean | undefined;
  /** The store in which the client keeps its token, in place of a session that is stored. */
  readonly tokens?: TokenStorage | undefined;
}

/** The person who is signed in. */
export interface Account {
  readonly username: string;
}

/**
 * Runs `use` on the instance of a request, with the account if somebody is signed in there. Resolves with its exit code, or
 * 1 after an error of the SDK, which is printed.
 */
export async function withClient(
  { url, ...request }: InstanceRequest,
  { warn, env }: Pick<Surroundings, 'warn' | 'env'>,
  use: (client: Client, account: Account | undefined) => Promise<number>,
): Promise<number> {
  if (!isAddress(url)) {
    warn(`hearth: expected an address such as 127.0.0.1:7159, got "${inLine(url)}"\n`);
    return MISUSED;
  }
  try {
    // The code of an invite link is for its instance; the environment's may be for another one.
    const accessCode =
      request.accessCode ?? accessCodeOf(url) ?? (env['HEARTH_ACCESS_CODE'] || undefined);
    const stored = await storedTokens({ url, ...request }, { warn, env });
    const { tokens = stored } = request;
    const found = await connect(url, { accessCode, tokens }).catch(async (error: unknown) => {
      const hint = await rightService(url, error);
      if (hint === undefined) throw error;
      warn(`hearth: ${reasonOf(error)}; ${hint}\n`);
    });
    if (found === undefined) return FAILED;
    await using client = found;
    if (accessCode === undefined && client.capabilities?.access_code === true) {
      warn(`hearth: ${CODE_MISSING}\n`);
      return FAILED;
    }
    const account = stored?.choose(client.info);
    if (account !== undefined) await renew(client);
    return await use(client, account);
  } catch (error) {
    if (!(error instanceof HearthError)) throw error;
    warn(`hearth: ${reasonOf(error)}\n`);
    return FAILED;
  }
}

/** Renews a token that is old. It is awaited, so that the new one is stored before the process ends. */
async function renew(client: Client): Promise<void> {
  try {
    await client.sessions.renewOldToken();
  } catch (error) {
    if (error instanceof UnauthorizedError || !(error instanceof HearthError)) throw error;
  }
}

/** Reports that there is neither a name nor an account. Returns the exit code. */
export function missingName({ info }: Client, warn: Surroundings['warn']): number {
  const where = inLine(info.instance_name);
  warn(`hearth: you are not signed in to ${where}: use --name or hearth login\n`);
  return FAILED;
}

/** Reports that there is no account, which channels need. Returns the exit code. */
export function missingAccount({ info }: Client, warn: Surroundings['warn']): number {
  const where = inLine(info.instance_name);
  warn(`hearth: you are not signed in to ${where}: channels need an account, use hearth login\n`);
  return FAILED;
}

/** Undefined if no session is stored for the address, or it is to be ignored. */
async function storedTokens(
  { url, asGuest = false, tokens }: InstanceRequest,
  surroundings: Pick<Surroundings, 'warn' | 'env'>,
): Promise<StoredTokens | undefined> {
  if (asGuest || tokens !== undefined) return undefined;
  const files = new SessionFiles(surroundings);
  const sessions = await sessionsFor(url, files);
  // Without any, an address without a scheme may still mean an http address.
  return sessions.length === 0 ? undefined : new StoredTokens(files, sessions);
}
