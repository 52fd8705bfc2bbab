import type { Deployment } from '../config/config.ts';
import { PORT_VARIABLES } from '../config/environment-options.ts';
import type { Context } from '../context.ts';
import { clientResolver } from '../http/client-address.ts';
import { descriptorLimit, descriptorShares } from '../runtime/descriptor-limit.ts';
import type { Listener } from '../runtime/http-server.ts';
import { filesDoor } from './files/files.ts';
import { Gateway } from './gateway/gateway.ts';
import { cutIdleConnections } from './idle-cutter.ts';
import { listening } from './listening.ts';
import { restDoor } from './rest/rest.ts';
import { doorServer, SILENCE_SECONDS } from './serve-door.ts';
import { startWeb, type WebClient } from './web/start-web.ts';

/** The components of a running instance. Disposal closes them. */
export interface Components extends AsyncDisposable {
  readonly web: WebClient;
  /** Loads what the start did not wait for. Throws where it is gone. */
  loadRest(): Promise<unknown>;
}

/** How long a download may pause, such as that of a video that is watched, and its connection rest behind it. */
const FILES_UNREAD_SECONDS = 120;

/** As many descriptors are kept free for requests to the web client, at most. */
const MOST_WEB_REQUESTS = 1_024;

/** How long running requests may take at a stop; the whole stop must be over after 10 s. */
const REST_STOP_MS = 3_000;
const FILES_STOP_MS = 7_000;

/**
 * Starts all components, the web client where it is built in `webFolder`. Disposal closes them: requests finish within
 * a bounded time, messages reach their sockets, then those are closed. Throws StartError naming the variable when one
 * cannot listen.
 */
export async function startComponents(
  ctx: Context,
  deployment: Deployment,
  webFolder?: string,
): Promise<Components> {
  const { host: hostname, restPort, gatewayPort, filesPort, trustedProxies } = deployment;
  const serve = doorServer(ctx, deployment);
  const descriptors = descriptorLimit();
  const { fileRequests, ...limits } = descriptorShares(descriptors);
  await using started = new AsyncDisposableStack();
  const gatewayAt = { hostname, port: gatewayPort };
  const clientOf = clientResolver(trustedProxies);
  const gateway = await Gateway.follow(ctx, { ...gatewayAt, clientOf, limits });
  started.defer(() => gateway.stop());
  await listening(PORT_VARIABLES.gateway, gatewayAt, () => gateway.listen());
  const files = await listening(PORT_VARIABLES.files, { hostname, port: filesPort }, () =>
    serve(filesDoor(ctx), {
      port: filesPort,
      unreadSeconds: FILES_UNREAD_SECONDS,
      mostRequests: fileRequests,
      operation: 'Fetching the file',
    }),
  );
  started.defer(() => files.terminate());
  const rest = await listening(PORT_VARIABLES.rest, { hostname, port: restPort }, () =>
    serve(restDoor(ctx), {
      port: restPort,
      unreadSeconds: SILENCE_SECONDS,
      mostRequests: Infinity,
      operation: 'Handling the request',
    }),
  );
  started.defer(() => rest.terminate());
  // Last: a component that everybody needs has its port before one that an instance can do without.
  const mostRequests = Math.min(fileRequests, MOST_WEB_REQUESTS);
  const web = await startWeb(ctx, { deployment, folder: webFolder, serve, mostRequests });
  const webDoors = web.served === undefined ? [] : [web.served.listener];
  const idleCutter = cutIdleConnections(ctx, [rest, files, ...webDoors], descriptors);
  started.move();
  const close = async () => {
    idleCutter[Symbol.dispose]();
    const filesStopped = stopWithin(files, FILES_STOP_MS);
    const webStopped = Promise.all(webDoors.map((door) => stopWithin(door, REST_STOP_MS)));
    // Messages that were accepted reach their sockets before these are closed.
    await stopWithin(rest, REST_STOP_MS);
    await gateway.stop();
    await Promise.all([filesStopped, webStopped]);
  };
  return {
    web: web.client,
    loadRest: async () => web.served?.door.load(),
    [Symbol.asyncDispose]: close,
  };
}

async function stopWithin(listener: Listener, timeoutMs: number): Promise<void> {
  const timer = setTimeout(() => void listener.terminate(), timeoutMs);
  await listener.stop();
  clearTimeout(timer);
}
