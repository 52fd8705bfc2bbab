import { errorCode, errorMessage } from '../lib/error-code.ts';
import { StartError } from '../lib/start-error.ts';

export interface ListeningPlace {
  readonly hostname: string;
  readonly port: number;
}

/**
 * Resolves with what `open` returns, which listens there. Throws StartError naming the port's variable, or HOST, if it
 * cannot.
 */
export async function listening<Opened>(
  variable: string,
  { hostname, port }: ListeningPlace,
  open: () => Opened,
): Promise<Opened> {
  try {
    return open();
  } catch (error) {
    const isNoAddress = errorCode(error) === 'EADDRNOTAVAIL' || !(await isKnown(hostname));
    throw new StartError(
      isNoAddress
        ? `HOST: cannot listen on ${hostname}: it is not an address of this machine`
        : `${variable}: cannot listen on port ${port}: ${systemReason(error)}`,
    );
  }
}

export function systemReason(error: unknown): string {
  const code = errorCode(error);
  if (code === 'EADDRINUSE') return 'the port is in use';
  if (code === 'EACCES') return 'this user may not use the port';
  return errorMessage(error);
}

// If the runtime cannot resolve a name, it reports that the port is in use.
async function isKnown(hostname: string): Promise<boolean> {
  const { lookup } = await import('node:dns/promises');
  return lookup(hostname).then(
    () => true,
    () => false,
  );
}
