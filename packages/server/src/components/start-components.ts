import { NotFoundError, ServerError } from '@hearth/protocol';
import type { Deployment } from '../config/config.ts';
import { PORT_VARIABLES } from '../config/environment-options.ts';
import type { Context } from '../context.ts';
import { errorCode, errorMessage } from '../error-code.ts';
import { httpHandlers, type Door } from '../http/app.ts';
import { clientResolver } from '../http/client-address.ts';
import { renderError, type HeaderValues } from '../http/respond.ts';
import { descriptorLimit, descriptorShares } from '../runtime/descriptor-limit.ts';
import { serveHttp, type Listener } from '../runtime/http-server.ts';
import { StartError } from '../start-error.ts';
import { filesDoor } from './files/files.ts';
import { Gateway } from './gateway/gateway.ts';
import { cutIdleConnections } from './idle-cutter.ts';
import { restDoor } from './rest/rest.ts';

interface DoorOptions {
  readonly port: number;
  readonly unreadSeconds: number;
  readonly mostRequests: number;
  /** What a fault outside of the routes is called. */
  readonly operation: string;
}

/** How long a connection may be silent between and within requests; uploads allow themselves more. */
const SILENCE_SECONDS = 10;

/** How long a download may pause, such as that of a video that is watched, and its connection rest behind it. */
const FILES_UNREAD_SECONDS = 120;

/** With the answer to a request whose body is not taken. */
const CLOSE: HeaderValues = { Connection: 'close' };

/** How long running requests may take at a stop; the whole stop must be over after 10 s. */
const REST_STOP_MS = 3_000;
const FILES_STOP_MS = 7_000;

/**
 * Starts all components. Disposal closes them: requests finish within a bounded time, messages reach their sockets,
 * then those are closed. Throws StartError naming the variable when one cannot listen.
 */
export async function startComponents(
  ctx: Context,
  deployment: Deployment,
): Promise<AsyncDisposable> {
  const { host: hostname, restPort, gatewayPort, filesPort, trustedProxies } = deployment;
  const clientOf = clientResolver(trustedProxies);
  const http = (door: Door, options: DoorOptions) =>
    serveHttp({
      hostname,
      port: options.port,
      silenceSeconds: SILENCE_SECONDS,
      unreadSeconds: options.unreadSeconds,
      mostRequests: options.mostRequests,
      onCrowd: () => {
        ctx.refusals.count('TooManyRequestsAtOnce', '');
        return renderError(new ServerError(options.operation), options.operation, CLOSE);
      },
      ...httpHandlers(door, clientOf),
      onFault: (error) => answerFault(ctx, error, options.operation),
    });
  const descriptors = descriptorLimit();
  const { fileRequests, ...limits } = descriptorShares(descriptors);
  await using started = new AsyncDisposableStack();
  const gatewayAt = { hostname, port: gatewayPort };
  const gateway = await listening(
    PORT_VARIABLES.gateway,
    gatewayAt,
    () => new Gateway(ctx, { ...gatewayAt, clientOf, limits }),
  );
  started.defer(() => gateway.stop());
  const files = await listening(PORT_VARIABLES.files, { hostname, port: filesPort }, () =>
    http(filesDoor(ctx), {
      port: filesPort,
      unreadSeconds: FILES_UNREAD_SECONDS,
      mostRequests: fileRequests,
      operation: 'Fetching the file',
    }),
  );
  started.defer(() => files.terminate());
  const rest = await listening(PORT_VARIABLES.rest, { hostname, port: restPort }, () =>
    http(restDoor(ctx), {
      port: restPort,
      unreadSeconds: SILENCE_SECONDS,
      mostRequests: Infinity,
      operation: 'Handling the request',
    }),
  );
  const idleCutter = cutIdleConnections(ctx, [rest, files], descriptors);
  started.move();
  const close = async () => {
    idleCutter[Symbol.dispose]();
    const filesStopped = stopWithin(files, FILES_STOP_MS);
    // Messages that were accepted reach their sockets before these are closed.
    await stopWithin(rest, REST_STOP_MS);
    await gateway.stop();
    await filesStopped;
  };
  return { [Symbol.asyncDispose]: close };
}

// Outside of the handlers the runtime can only fail to open a file that was removed a moment ago.
function answerFault(ctx: Context, error: unknown, operation: string): Response {
  if (errorCode(error) === 'ENOENT') return renderError(new NotFoundError(), operation);
  ctx.log.error({ err: error, operation }, 'request failed');
  return renderError(error, operation);
}

async function stopWithin(listener: Listener, timeoutMs: number): Promise<void> {
  const timer = setTimeout(() => void listener.terminate(), timeoutMs);
  await listener.stop();
  clearTimeout(timer);
}

async function listening<Opened>(
  variable: string,
  { hostname, port }: { readonly hostname: string; readonly port: number },
  open: () => Opened,
): Promise<Opened> {
  try {
    return open();
  } catch (error) {
    const isNoAddress = errorCode(error) === 'EADDRNOTAVAIL' || !(await isKnown(hostname));
    throw new StartError(
      isNoAddress
        ? `HOST: cannot listen on ${hostname}: it is no address of this machine`
        : `${variable}: cannot listen on port ${port}: ${systemReason(error)}`,
    );
  }
}

// Of a name that it cannot resolve the runtime says that the port is in use.
async function isKnown(hostname: string): Promise<boolean> {
  const { lookup } = await import('node:dns/promises');
  return lookup(hostname).then(
    () => true,
    () => false,
  );
}

function systemReason(error: unknown): string {
  const code = errorCode(error);
  if (code === 'EADDRINUSE') return 'the port is in use';
  if (code === 'EACCES') return 'the port may not be used by this user';
  return errorMessage(error);
}
