import { servicePaths } from '../config/component-addresses.ts';
import type { Deployment } from '../config/config.ts';
import { PORT_VARIABLES } from '../config/environment-options.ts';
import type { ComponentName } from '../config/engine-types.ts';
import type { Context, ServiceContext } from '../context.ts';
import { publicPages } from '../features/publishing/public-pages/public-pages.ts';
import { gatewayParts } from '../lists/gateway-parts.ts';
import type { InstanceContext } from '../instance-context.ts';
import { clientResolver } from '../http/client-address.ts';
import {
  descriptorLimit,
  descriptorShares,
  type DescriptorShares,
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
import { KeptPageFiles, keepPageFiles } from '../features/platform/page-files/page-files.ts';
import { startWeb, type KeptBuilds, type StartedWeb, type WebClient } from './web/start-web.ts';
import type { ViewAt } from './web/view.ts';
import { WEB_OPERATION, type PlainContent } from './web/web.ts';

/** The components of a running instance. Disposal closes them. */
export interface Components extends AsyncDisposable {
  readonly web: WebClient;
}

/** The deployment with which components are started. */
export interface ComponentsPlan {
  readonly deployment: Deployment;
  /** The folder of the built web client; without one none is served. */
  readonly webFolder?: string | undefined;
}

/**
 * The time that a download may pause, such as that of a video that is being watched, and that its connection may then
 * be idle.
 */
const FILES_UNREAD_SECONDS = 120;

/** At most this many descriptors are kept free for requests to the web client. */
const MOST_WEB_REQUESTS = 1_024;

/** The time that running requests may take at a stop; the whole stop must be over after 10 s. */
const REST_STOP_MS = 3_000;
const FILES_STOP_MS = 7_000;

interface Running {
  /** Undefined if it listens in another way. */
  readonly listener?: Listener | undefined;
  readonly served?: ServedService | undefined;
  /** The part of it at the port of the web client. */
  readonly beside?: Beside | undefined;
  readonly client?: WebClient | undefined;
  /** Lets requests finish within a bounded time. */
  stop(): Promise<unknown>;
  /** Ends it at once, because another one cannot be started. */
  cut(): unknown;
}

/** The part of a component at the port of the web client. */
type Beside =
  | { readonly path: string; readonly at: (viewAt: ViewAt) => ServedHttp }
  | { readonly path: string; readonly gateway: Gateway };

interface Starting {
  readonly ctx: InstanceContext;
  readonly plan: ComponentsPlan;
  readonly listen: Listen;
  readonly shares: DescriptorShares;
  /** Components that were started before. */
  readonly running: ReadonlyMap<ComponentName, Running>;
}

/**
 * The components in the order in which they start. They stop together, but one with `stopsAfter` waits for that component.
 */
const COMPONENTS: readonly {
  readonly name: ComponentName;
  readonly start: (starting: Starting) => Promise<Running>;
  readonly stopsAfter?: ComponentName;
}[] = [
  // Messages that were accepted reach their sockets before these are closed.
  { name: 'gateway', start: startGateway, stopsAfter: 'rest' },
  { name: 'files', start: startFiles },
  { name: 'rest', start: startRest },
  // Last, because its port also serves the other components, and the instance can run without it.
  { name: 'web', start: startWebClient },
];

/**
 * Starts the components of this process, and the web client if it is built. On disposal, requests finish within a
 * bounded time and messages reach their sockets, then the sockets are closed. Throws StartError naming the variable if
 * one cannot listen, and if the web client is all that it runs and cannot be served.
 */
export async function startComponents(
  ctx: InstanceContext,
  plan: ComponentsPlan,
): Promise<Components> {
  const { components } = plan.deployment;
  const descriptors = descriptorLimit();
  const running = new Map<ComponentName, Running>();
  const starting = {
    ctx,
    plan,
    listen: listenWith(ctx, plan.deployment),
    shares: descriptorShares(descriptors),
    running,
  };
  await using started = new AsyncDisposableStack();
  for (const { name, start } of COMPONENTS) {
    if (!components.includes(name)) continue;
    const component = await start(starting);
    running.set(name, component);
    started.defer(async () => {
      await component.cut();
    });
  }
  const web = running.get('web')?.client ?? { state: 'off' };
  if (components.every((component) => component === 'web')) requireServed(web);
  const listeners = [...running.values()].flatMap(({ listener }) => listener ?? []);
  const idleCutter = cutIdleConnections(ctx, listeners, descriptors);
  started.move();
  return {
    web,
    async [Symbol.asyncDispose]() {
      idleCutter[Symbol.dispose]();
      await stopAll(running);
    },
  };
}

/**
 * Starts the web client of a process that runs nothing else and has no database. Throws StartError if its port
 * cannot be used or the client cannot be served.
 */
export async function startWebAlone(
  ctx: ServiceContext,
  plan: ComponentsPlan,
): Promise<Components> {
  const listen = listenWith(ctx, plan.deployment);
  const descriptors = descriptorLimit();
  const serving = { listen, mostRequests: Infinity, running: new Map() };
  const { client, listener } = await startWebService(ctx, plan, serving);
  requireServed(client);
  const listeners = listener === undefined ? [] : [listener];
  const idleCutter = cutIdleConnections(ctx, listeners, descriptors);
  return {
    web: client,
    async [Symbol.asyncDispose]() {
      idleCutter[Symbol.dispose]();
      for (const each of listeners) await stopWithin(each, REST_STOP_MS);
    },
  };
}

async function stopAll(running: ReadonlyMap<ComponentName, Running>): Promise<void> {
  const stopped = new Map<ComponentName, Promise<unknown>>();
  for (const { name, stopsAfter } of COMPONENTS.toReversed()) {
    const before = stopsAfter === undefined ? undefined : stopped.get(stopsAfter);
    const stop = () => running.get(name)?.stop();
    stopped.set(name, before === undefined ? Promise.resolve(stop()) : before.then(stop));
  }
  await Promise.all(stopped.values());
  for (const { served } of running.values()) served?.[Symbol.dispose]();
}

/** Throws StartError if the web client, which is all that a process runs, is not served. */
function requireServed(client: WebClient): void {
  if (client.state === 'served') return;
  const reason = client.state === 'missing' ? client.reason : 'it is switched off';
  throw new StartError(`COMPONENTS: the web client cannot be served: ${reason}`);
}

async function startGateway({ ctx, plan, shares }: Starting): Promise<Running> {
  const { host: hostname, gatewayPort: port, trustedProxies } = plan.deployment;
  const gateway = await Gateway.follow(ctx, {
    hostname,
    port,
    clientOf: clientResolver(trustedProxies),
    limits: { admitted: shares.admitted, refused: shares.refused },
    features: gatewayParts(ctx),
  });
  const stop = () => gateway.stop();
  try {
    await listening(PORT_VARIABLES.gateway, { hostname, port }, () => gateway.listen());
  } catch (error) {
    await stop();
    throw error;
  }
  return { beside: { path: servicePaths(ctx.settings).gateway, gateway }, stop, cut: stop };
}

async function startFiles({ ctx, plan, listen, shares }: Starting): Promise<Running> {
  const { host: hostname, filesPort: port } = plan.deployment;
  const mostRequests = shares.fileRequests;
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
  const open = () => listen.alone(service, port);
  const listener = await listening(PORT_VARIABLES.files, { hostname, port }, open);
  return {
    listener,
    served: service.served,
    beside: { path: servicePaths(ctx.settings).files, at: () => service },
    stop: () => stopWithin(listener, FILES_STOP_MS),
    cut: () => listener.terminate(),
  };
}

async function startRest({ ctx, plan, listen }: Starting): Promise<Running> {
  const { host: hostname, restPort: port } = plan.deployment;
  const service = servedHttp(ctx, restService(ctx), {
    unreadSeconds: SILENCE_SECONDS,
    mostRequests: Infinity,
    operation: 'Handling the request',
  });
  const { http, served } = service;
  const open = () => listen.alone(service, port);
  const listener = await listening(PORT_VARIABLES.rest, { hostname, port }, open);
  const at = (viewAt: ViewAt): ServedHttp => ({
    ...service,
    http: restServiceAt(ctx, http, (request) => viewAt(request.headers.get('host')).addresses),
  });
  return {
    listener,
    served,
    beside: { path: servicePaths(ctx.settings).rest, at },
    stop: () => Promise.all([stopWithin(listener, REST_STOP_MS), served.ended(REST_STOP_MS)]),
    cut: () => listener.terminate(),
  };
}

async function startWebClient({ ctx, plan, listen, shares, running }: Starting): Promise<Running> {
  const { client, listener } = await startWebService(ctx, plan, {
    listen,
    running,
    mostRequests: shares.fileRequests,
    plain: { pages: publicPages(ctx), limiter: ctx.limiter },
    kept: keptBuilds(ctx),
  });
  const files = running.get('files')?.served;
  return {
    client,
    listener,
    stop: async () => listener && (await stopWithin(listener, REST_STOP_MS, files)),
    cut: () => listener?.terminate(),
  };
}

interface WebServing {
  readonly listen: Listen;
  readonly mostRequests: number;
  readonly running: ReadonlyMap<ComponentName, Running>;
  /** Known only if the process has the database. */
  readonly plain?: PlainContent | undefined;
  /** Known only if the process has the database. */
  readonly kept?: KeptBuilds | undefined;
}

function startWebService(
  ctx: ServiceContext,
  { deployment, webFolder: folder }: ComponentsPlan,
  { listen, mostRequests, running, plain, kept }: WebServing,
): Promise<StartedWeb> {
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
      const beside = [...running.values()].flatMap((each) => each.beside ?? []);
      const others = beside.flatMap((each) =>
        'at' in each ? [{ path: each.path, service: each.at(viewAt) }] : [],
      );
      const sockets = beside.find((each) => 'gateway' in each);
      const server = listen.together(
        {
          page,
          others,
          sockets: sockets && { path: sockets.path, endpoint: sockets.gateway.endpoint },
        },
        port,
      );
      sockets?.gateway.alsoAt(server);
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
  listener: Listener,
  timeoutMs: number,
  files?: ServedService,
): Promise<void> {
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
