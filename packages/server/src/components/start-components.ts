import { servicePaths } from '../config/component-addresses.ts';
import type { Deployment } from '../config/config.ts';
import { PORT_VARIABLES } from '../config/environment-options.ts';
import type { Addresses, Context, ServiceContext } from '../context.ts';
import { publicPages } from '../features/public-pages/public-pages.ts';
import { gatewayParts } from '../gateway-parts.ts';
import type { InstanceContext } from '../instance-context.ts';
import { clientResolver } from '../http/client-address.ts';
import {
  descriptorLimit,
  descriptorShares,
  type SocketLimits,
} from '../runtime/descriptor-limit.ts';
import type { Listener } from '../runtime/listener.ts';
import type { ServedService } from '../runtime/served-service.ts';
import { filesService } from './files/files.ts';
import { Gateway } from './gateway/gateway.ts';
import { cutIdleConnections } from './idle-cutter.ts';
import { listening } from './listening.ts';
import { restService, restServiceAt } from './rest/rest.ts';
import { StartError } from '../lib/start-error.ts';
import { listenWith, servedHttp, SILENCE_SECONDS, type Listen, type ServedHttp } from './listen.ts';
import { KeptPageFiles } from '../features/page-files/find-page-file.ts';
import { keepPageFiles } from '../features/page-files/keep-page-files.ts';
import { startWeb, type KeptBuilds, type StartedWeb, type WebClient } from './web/start-web.ts';
import { WEB_OPERATION, type PlainContent } from './web/web.ts';

/** The components of a running instance. Disposal closes them. */
export interface Components extends AsyncDisposable {
  readonly web: WebClient;
}

/** Where components are started, and with what. */
export interface ComponentsPlan {
  readonly deployment: Deployment;
  /** The folder of the built web client; without one none is served. */
  readonly webFolder?: string | undefined;
}

/**
 * How long a download may pause, such as that of a video that is being watched, and how long its connection may then
 * be idle.
 */
const FILES_UNREAD_SECONDS = 120;

/** At most this many descriptors are kept free for requests to the web client. */
const MOST_WEB_REQUESTS = 1_024;

/** How long running requests may take at a stop; the whole stop must be over after 10 s. */
const REST_STOP_MS = 3_000;
const FILES_STOP_MS = 7_000;

/**
 * Starts the components of this process, and the web client if it is built. On disposal, requests finish within a
 * bounded time and messages reach their sockets, then the sockets are closed. Throws StartError naming the variable if
 * one cannot listen, and if the web client is all that it runs and cannot be served.
 */
export async function startComponents(
  ctx: InstanceContext,
  plan: ComponentsPlan,
): Promise<Components> {
  const { deployment } = plan;
  const { components } = deployment;
  const listen = listenWith(ctx, deployment);
  const descriptors = descriptorLimit();
  const shares = descriptorShares(descriptors);
  await using started = new AsyncDisposableStack();
  const gateway = components.includes('gateway')
    ? await startGateway(ctx, deployment, shares)
    : undefined;
  started.defer(() => gateway?.stop());
  const files = components.includes('files')
    ? await startFiles(ctx, deployment, { listen, mostRequests: shares.fileRequests })
    : undefined;
  started.defer(() => files?.listener.terminate());
  const rest = components.includes('rest') ? await startRest(ctx, deployment, listen) : undefined;
  started.defer(() => rest?.listener.terminate());
  // Last, because an instance can run without the web client: everything else has its port.
  const web = await startWebService(ctx, plan, {
    plain: { pages: publicPages(ctx), limiter: ctx.limiter },
    kept: keptBuilds(ctx),
    listen,
    mostRequests: shares.fileRequests,
    others: {
      api:
        rest === undefined
          ? undefined
          : (addresses) => ({
              ...rest,
              http: restServiceAt(ctx, rest.http, addresses),
            }),
      gateway,
      files,
    },
  });
  if (components.every((component) => component === 'web')) requireServed(web);
  const services = [rest?.listener, files?.listener, web.listener].filter(
    (service) => service !== undefined,
  );
  const idleCutter = cutIdleConnections(ctx, services, descriptors);
  started.move();
  const close = async () => {
    idleCutter[Symbol.dispose]();
    const filesStopped = stopWithin(files?.listener, FILES_STOP_MS);
    const webStopped = stopWithin(web.listener, REST_STOP_MS, files?.served);
    // Messages that were accepted reach their sockets before these are closed.
    await Promise.all([stopWithin(rest?.listener, REST_STOP_MS), rest?.served.ended(REST_STOP_MS)]);
    await gateway?.stop();
    await Promise.all([filesStopped, webStopped]);
    files?.served[Symbol.dispose]();
  };
  return { web: web.client, [Symbol.asyncDispose]: close };
}

/**
 * Starts the web client of a process that runs nothing else and has no database. Throws StartError in the same cases, and if it
 * is not served.
 */
export async function startWebAlone(
  ctx: ServiceContext,
  plan: ComponentsPlan,
): Promise<Components> {
  const listen = listenWith(ctx, plan.deployment);
  const descriptors = descriptorLimit();
  const serving = { listen, mostRequests: Infinity, others: {} };
  const { client, listener } = requireServed(await startWebService(ctx, plan, serving));
  const idleCutter = cutIdleConnections(ctx, [listener], descriptors);
  return {
    web: client,
    async [Symbol.asyncDispose]() {
      idleCutter[Symbol.dispose]();
      await stopWithin(listener, REST_STOP_MS);
    },
  };
}

/** Throws StartError if the web client, which is all that a process runs, is not served. */
function requireServed(web: StartedWeb): Extract<StartedWeb, { listener: Listener }> {
  if (web.listener !== undefined) return web;
  const { client } = web;
  const reason = client.state === 'missing' ? client.reason : 'it is switched off';
  throw new StartError(`COMPONENTS: the web client cannot be served: ${reason}`);
}

/** How a service is served. */
interface Serving {
  readonly listen: Listen;
  readonly mostRequests: number;
}

/** A service that listens at its own port. */
interface StartedService extends ServedHttp {
  readonly listener: Listener;
}

/** What the port of the web client also serves. */
interface OtherServices {
  /** The REST service at a port where clients have these addresses. */
  readonly api?: ((addressesFor: (request: Request) => Addresses) => ServedHttp) | undefined;
  readonly gateway?: Gateway | undefined;
  readonly files?: ServedHttp | undefined;
}

async function startGateway(
  ctx: InstanceContext,
  { host: hostname, gatewayPort: port, trustedProxies }: Deployment,
  { admitted, refused }: SocketLimits,
): Promise<Gateway> {
  const limits = { admitted, refused };
  const features = gatewayParts(ctx);
  const clientOf = clientResolver(trustedProxies);
  const gateway = await Gateway.follow(ctx, { hostname, port, clientOf, limits, features });
  try {
    await listening(PORT_VARIABLES.gateway, { hostname, port }, () => gateway.listen());
  } catch (error) {
    await gateway.stop();
    throw error;
  }
  return gateway;
}

function startFiles(
  ctx: Context,
  { host: hostname, filesPort: port }: Deployment,
  { listen, mostRequests }: Serving,
): Promise<StartedService> {
  const service = servedHttp(ctx, filesService(ctx), {
    unreadSeconds: FILES_UNREAD_SECONDS,
    mostRequests,
    // The others are served whatever one client does, even if the process may have few descriptors.
    transfersPerClient: Math.min(
      ctx.settings.files.transfersPerClient,
      Math.ceil(mostRequests / 2),
    ),
    operation: 'Fetching the file',
  });
  return listening(PORT_VARIABLES.files, { hostname, port }, () => ({
    ...service,
    listener: listen.alone(service, port),
  }));
}

function startRest(
  ctx: InstanceContext,
  { host: hostname, restPort: port }: Deployment,
  listen: Listen,
): Promise<StartedService> {
  const service = servedHttp(ctx, restService(ctx), {
    unreadSeconds: SILENCE_SECONDS,
    mostRequests: Infinity,
    operation: 'Handling the request',
  });
  return listening(PORT_VARIABLES.rest, { hostname, port }, () => ({
    ...service,
    listener: listen.alone(service, port),
  }));
}

interface WebServing extends Serving {
  readonly others: OtherServices;
  /** Known only if the process has the database. */
  readonly plain?: PlainContent | undefined;
  /** Known only if the process has the database. */
  readonly kept?: KeptBuilds | undefined;
}

function startWebService(
  ctx: ServiceContext,
  { deployment, webFolder: folder }: ComponentsPlan,
  { listen, mostRequests, others, plain, kept }: WebServing,
): Promise<StartedWeb> {
  const { gateway, files } = others;
  const paths = servicePaths(ctx.settings);
  return startWeb(ctx, {
    deployment,
    folder,
    plain,
    kept,
    listen({ http, viewAt }, port) {
      const page = servedHttp(ctx, http, {
        unreadSeconds: SILENCE_SECONDS,
        mostRequests: Math.min(mostRequests, MOST_WEB_REQUESTS),
        operation: WEB_OPERATION,
      });
      const api = others.api?.((request) => viewAt(request.headers.get('host')).addresses);
      const server = listen.together(
        {
          page,
          others: [
            ...(api === undefined ? [] : [{ path: paths.rest, service: api }]),
            ...(files === undefined ? [] : [{ path: paths.files, service: files }]),
          ],
          sockets: gateway && { path: paths.gateway, endpoint: gateway.endpoint },
        },
        port,
      );
      gateway?.alsoAt(server);
      return server;
    },
  });
}

function keptBuilds(ctx: Context): KeptBuilds {
  const files = new KeptPageFiles(ctx);
  return { find: (path) => files.find(path), keep: (build) => keepPageFiles(ctx, build) };
}

/** Stops a listener, within the time of the file service if that has requests at the listener. */
async function stopWithin(
  listener: Listener | undefined,
  timeoutMs: number,
  files?: ServedService,
): Promise<void> {
  if (listener === undefined) return;
  const terminate = () => void listener.terminate();
  const timers = [
    setTimeout(() => {
      if (files?.isBusy !== true) terminate();
    }, timeoutMs),
    setTimeout(terminate, FILES_STOP_MS),
  ];
  await listener.stop();
  timers.forEach(clearTimeout);
}
