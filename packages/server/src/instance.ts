import { systemClock, type Clock } from './lib/clock.ts';
import { componentAddresses, fileAddresses } from './config/component-addresses.ts';
import { startComponents, startWebAlone } from './components/start-components.ts';
import type { WebClient } from './components/web/start-web.ts';
import type { Config, Deployment } from './config/config.ts';
import { missingUrls } from './config/missing-urls.ts';
import type { Addresses, ServiceContext } from './context.ts';
import type { InstanceContext } from './instance-context.ts';
import type { PasswordsOptions } from './features/accounts/users/users.ts';
import { withQueues } from './ports/outbox/with-queues.ts';
import { openOnFiles, openOnFilesForOwner } from './engines/on-files.ts';
import type { EngineParts, Engines, OwnerPurpose } from './engines/engines.ts';
import { openRestrictions } from './features/accounts/moderation/moderation.ts';
import { NotificationSender } from './features/talk/notifications/notifications.ts';
import { JobRunner } from './features/platform/jobs/jobs.ts';
import { ownerInvite } from './features/accounts/registration/registration.ts';
import { TokenCheck } from './features/accounts/sessions/sessions.ts';
import { Indexer } from './features/search/search/search.ts';
import { jobKinds } from './lists/jobs.ts';
import { FailureLog } from './log/failure-log.ts';
import { createLogger, type Logger } from './log/logger.ts';
import { RefusalLog } from './log/refusal-log.ts';
import { smtpMailer } from './ports/mail/smtp.ts';
import { sharpPictures } from './ports/pictures/sharp.ts';
import { HEARTH_VERSION } from './lib/version.ts';
import { within } from './lib/within.ts';
import { withLists } from './lists/lists.ts';
import { openState } from './state.ts';

/** The time in milliseconds that a start waits for the invite of the owner. */
const INVITE_MS = 5_000;

export interface Instance extends AsyncDisposable {
  readonly addresses: Addresses;
  readonly web: WebClient;
  /** The code of the invite that makes the owner's account, as long as there is no staff and this process registers people. */
  readonly ownerInvite: string | undefined;
  /**
   * Stops cleanly: running requests finish, sockets are closed with "Server error". The reason is logged. Calling it
   * again returns the same stop.
   */
  stop(reason?: string): Promise<void>;
}

/** The context of an owner's command, with or without a running instance. */
export interface OwnerContext extends InstanceContext, AsyncDisposable {}

export type { OwnerPurpose } from './engines/engines.ts';

export interface InstanceParts {
  /** The folder of the built web client; without one the instance serves none. */
  readonly webFolder?: string | undefined;
  /** For tests. */
  readonly clock?: Clock | undefined;
  /** For tests; the log on standard error unless it is given. */
  readonly log?: Logger | undefined;
  /** For tests. */
  readonly passwords?: PasswordsOptions | undefined;
}

/** Starts an instance. Throws StartError if the owner has to fix something. */
export async function startInstance(config: Config, parts: InstanceParts = {}): Promise<Instance> {
  const { clock = systemClock, log, webFolder, passwords } = parts;
  const { deployment } = config;
  await using resources = new AsyncDisposableStack();
  if (isPageOnly(deployment)) {
    const ctx = resources.use(await openServiceContext(config, { clock, log }));
    const alone = resources.use(await startWebAlone(ctx, { deployment, webFolder }));
    ctx.log.warn(
      {},
      'without DATABASE_URL and REDIS_URL, the web client comes without feeds, the sitemap, pages for readers without scripts and the files of the build before',
    );
    return running(
      ctx,
      { ...deployment, web: alone.web, ownerInvite: undefined },
      resources.move(),
    );
  }
  const ctx = await openContext({ config, clock, resources }, openEngines, { log, passwords });
  // A mistake of the owner, which is reported now rather than by the first sign-in.
  if (deployment.tokenKeyFile !== undefined) await ctx.tokenKeys.read();
  if (deployment.components.includes('rest')) {
    resources.use(new Indexer(ctx));
    resources.use(new NotificationSender(ctx));
  }
  const components = resources.use(await startComponents(ctx, { deployment, webFolder }));
  // After the services are reachable, so that no job delays a start.
  const kinds = jobKinds(ctx, deployment);
  if (kinds.length > 0) resources.use(new JobRunner({ ...ctx, kinds }));
  return running(
    ctx,
    { ...deployment, web: components.web, ownerInvite: await ownerInviteFor(ctx, deployment) },
    resources.move(),
  );
}

/** The invite of the owner; undefined if it cannot be stored, such as on a full disk: the next start prints it. */
async function ownerInviteFor(
  ctx: InstanceContext,
  { components }: Pick<Deployment, 'components'>,
): Promise<string | undefined> {
  return components.includes('rest') ? within(ownerInvite(ctx), INVITE_MS) : undefined;
}

function running(
  ctx: ServiceContext,
  {
    components,
    web,
    ownerInvite: invite,
  }: Pick<Deployment, 'components'> & Pick<Instance, 'web' | 'ownerInvite'>,
  owned: AsyncDisposableStack,
): Instance {
  const isOwn = ([name]: readonly [string, string]) => components.some((own) => own === name);
  const services = Object.fromEntries(Object.entries(ctx.addresses).filter(isOwn));
  const opened = web.state === 'served' ? { web: web.url } : {};
  ctx.log.info({ version: HEARTH_VERSION, ...services, ...opened }, 'instance started');
  const options = missingUrls({ settings: ctx.settings, components });
  if (options.length > 0) {
    ctx.log.warn(
      { options },
      'the instance file does not say where clients reach other processes: clients are given ports of this machine',
    );
  }
  let stopped: Promise<void> | undefined;
  const stop = async (reason?: string) => {
    ctx.log.info({ reason }, 'instance stopping');
    // Last in, first out: the services close before what they use.
    await owned.disposeAsync();
    ctx.log.info({}, 'instance stopped');
  };
  return {
    addresses: ctx.addresses,
    web,
    ownerInvite: invite,
    stop: (reason) => (stopped ??= stop(reason)),
    [Symbol.asyncDispose]: () => (stopped ??= stop()),
  };
}

/** Opens the data of an instance for an owner's command. Throws StartError. */
export async function openOwnerContext(
  config: Config,
  purpose: OwnerPurpose,
): Promise<OwnerContext> {
  await using resources = new AsyncDisposableStack();
  const ctx = await openContext({ config, clock: systemClock, resources }, (parts) =>
    openEnginesForOwner(parts, purpose),
  );
  const owned = resources.move();
  return { ...ctx, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function openServiceContext(
  { settings, deployment }: Config,
  { clock, log: given }: { readonly clock: Clock; readonly log?: Logger | undefined },
): Promise<ServiceContext & Disposable> {
  const log = given ?? (await createLogger(deployment.logLevel));
  const refusals = new RefusalLog(log, clock);
  const failures = new FailureLog(log, clock);
  return {
    settings,
    addresses: componentAddresses({ settings, deployment }),
    fileAddresses: fileAddresses({ settings, deployment }),
    clock,
    log,
    refusals,
    failures,
    [Symbol.dispose]() {
      refusals[Symbol.dispose]();
      failures[Symbol.dispose]();
    },
  };
}

async function openContext(
  parts: Omit<EngineParts, 'log'>,
  open: (parts: EngineParts) => Promise<Engines>,
  { log, passwords }: Pick<InstanceParts, 'log' | 'passwords'> = {},
): Promise<InstanceContext> {
  const { config, clock, resources } = parts;
  const service = resources.use(await openServiceContext(config, { clock, log }));
  const opened = await open({ ...parts, log: service.log });
  const engines = { ...opened, database: withQueues(opened.database) };
  const { tokenKeyFile, engines: chosen } = config.deployment;
  const state = openState({ ...service, ...engines, resources, tokenKeyFile, passwords });
  const ports = { ...service, ...engines, ...state };
  const restrictions = await openRestrictions({ ...ports, resources });
  if (config.settings.rest.reservesNames) await state.names.prepare();
  return withLists({
    ...ports,
    restrictions,
    authentication: new TokenCheck(ports),
    pictures: sharpPictures(service),
    mailer: chosen.mail === undefined ? undefined : smtpMailer(chosen.mail),
  });
}

// The adapters of servers are loaded only if there are servers: they take as long as the rest of a start.
async function openEngines(parts: EngineParts): Promise<Engines> {
  if (isEmbedded(parts.config.deployment)) return openOnFiles(parts);
  const { openOnServers } = await import('./engines/on-servers.ts');
  return openOnServers(parts);
}

async function openEnginesForOwner(parts: EngineParts, purpose: OwnerPurpose): Promise<Engines> {
  if (isEmbedded(parts.config.deployment)) return openOnFilesForOwner(parts, purpose);
  const { openOnServersForOwner } = await import('./engines/on-servers.ts');
  return openOnServersForOwner(parts, purpose);
}

/** Returns whether a process serves the files of the web client and nothing that anybody wrote: it has no database. */
function isPageOnly({ components, engines }: Deployment): boolean {
  return components.every((component) => component === 'web') && engines.databaseUrl === undefined;
}

function isEmbedded({ engines }: Deployment): boolean {
  const { databaseUrl, redisUrl, blobs } = engines;
  return databaseUrl === undefined && redisUrl === undefined && blobs === undefined;
}
