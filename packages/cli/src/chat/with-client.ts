import { connect, HearthError, NetworkError, type Client } from '@hearth/sdk';
import type { Surroundings } from '../command.ts';
import { inLine } from '../text.ts';

const FAILED = 1;
const MISUSED = 2;

/** What the runtime calls the reasons why there was no connection at all, and what people do. */
const UNREACHED_REASONS: ReadonlyMap<unknown, string> = new Map([
  ['ConnectionRefused', 'nothing listens there'],
  ['ECONNREFUSED', 'nothing listens there'],
  ['ENOTFOUND', 'there is no such host'],
]);

const NETWORK_REASONS: ReadonlyMap<unknown, string> = new Map([
  ...UNREACHED_REASONS,
  ['ECONNRESET', 'the connection broke off'],
  ['ConnectionClosed', 'the connection broke off'],
]);

/** Why something could not be done, in one line. What others say in it is harmless on a terminal. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return inLine(String(error));
  const { message } = error;
  const known = error instanceof NetworkError ? NETWORK_REASONS.get(codeOf(error)) : undefined;
  // Within a line of ours it is no beginning of a sentence.
  const lowered = message.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
  return inLine(known === undefined ? lowered : `the instance cannot be reached: ${known}`);
}

/** Whether there was no connection at all, so that what was asked was surely not done. */
export function isUnreached(error: NetworkError): boolean {
  return UNREACHED_REASONS.has(codeOf(error));
}

function codeOf({ cause }: NetworkError): unknown {
  return cause instanceof Error && 'code' in cause ? cause.code : undefined;
}

/** What `use` resolves with on the instance at `url`; what the library throws is told in a line, and is exit code 1. */
export async function withClient(
  url: string,
  { warn }: Pick<Surroundings, 'warn'>,
  use: (client: Client) => Promise<number>,
): Promise<number> {
  if (!isAddress(url)) {
    warn(`hearth: "${inLine(url)}" is no address of an instance\n`);
    return MISUSED;
  }
  try {
    await using client = await connect(url);
    return await use(client);
  } catch (error) {
    if (!(error instanceof HearthError)) throw error;
    warn(`hearth: ${reasonOf(error)}\n`);
    return FAILED;
  }
}

/** Whether `url` is of http, or a host and perhaps a port without it. */
function isAddress(url: string): boolean {
  const withScheme = /^\w+:\/\//.test(url) ? url : `http://${url}`;
  return /^https?:/i.test(withScheme) && URL.canParse(withScheme);
}
