import { ApiError, connect, UnexpectedAnswerError, type InstanceInfo } from '@hearth/sdk';
import { inLine } from '../text.ts';

/** The documented port of the REST service. */
const REST_PORT = 7159;

/** Statuses with which the services that are not the REST service answer `GET /`. */
const ELSEWHERE_STATUSES: ReadonlySet<number> = new Set([404, 405, 426]);

/** The time for which that is tried. */
const PATIENCE_MS = 2_000;

/**
 * Finds out what to try after this error at an address: the instance of which it is another service, if that can be
 * found on the same host, or else what an address should be. Undefined if the error is not about the address.
 */
export async function rightService(
  url: string,
  error: unknown,
  restPort: number = REST_PORT,
): Promise<string | undefined> {
  if (!isElsewhere(error)) return undefined;
  const { protocol, hostname, port } = new URL(/^\w+:\/\//.test(url) ? url : `http://${url}`);
  const base = `${protocol}//${hostname}`;
  const fallback = `try the address of the REST service, such as ${base}:${restPort}, or that of the web client`;
  const info = await infoAt(`${base}:${restPort}`);
  const name = info && serviceAt(port, info);
  return inLine(
    info === undefined || name === undefined
      ? fallback
      : `this is the ${name} of ${info.instance_name}: try ${info.oprish_url}`,
  );
}

function isElsewhere(error: unknown): boolean {
  if (error instanceof ApiError) return ELSEWHERE_STATUSES.has(error.status);
  // Without a status, it is a description of an instance that cannot be used.
  return error instanceof UnexpectedAnswerError && error.status !== undefined;
}

async function infoAt(url: string): Promise<InstanceInfo | undefined> {
  try {
    await using client = await connect(url, { signal: AbortSignal.timeout(PATIENCE_MS) });
    return client.info;
  } catch {
    return undefined;
  }
}

/** The name of the service of an instance at a port. */
function serviceAt(
  port: string,
  { pandemonium_url: gateway, effis_url: files }: InstanceInfo,
): string | undefined {
  if (port === '') return undefined;
  if (new URL(gateway).port === port) return 'gateway';
  return new URL(files).port === port ? 'file service' : undefined;
}
