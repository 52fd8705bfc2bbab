import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { webAddress } from '../../config/component-addresses.ts';
import type { Deployment } from '../../config/config.ts';
import { PORT_VARIABLES } from '../../config/environment-options.ts';
import type { ServiceContext } from '../../context.ts';
import { errorMessage } from '../../lib/error-code.ts';
import type { Listener } from '../../runtime/listener.ts';
import { listening, systemReason } from '../listening.ts';
import type { PageBuild } from '../../features/platform/page-files/page-files.ts';
import { branded, readBrand } from './brand.ts';
import { packedBuild, type FindKept } from './kept-assets.ts';
import { loadSite, PAGE_FILE, type Site } from './site.ts';
import { webService, type PlainContent, type WebService } from './web.ts';

export type WebClient =
  | { readonly state: 'served'; readonly url: string }
  | { readonly state: 'off' }
  | { readonly state: 'missing'; readonly reason: string };

/** The web client and, if it is served, its server. */
export type StartedWeb =
  | { readonly client: Extract<WebClient, { state: 'served' }>; readonly listener: Listener }
  | { readonly client: Exclude<WebClient, { state: 'served' }>; readonly listener: undefined };

export interface WebStart {
  readonly deployment: Deployment;
  /** The folder of the built client, if there is one. */
  readonly folder: string | undefined;
  /** Known only if the process has the database. */
  readonly plain?: PlainContent | undefined;
  /** The files of the builds before this one. Known only if the process has the database. */
  readonly kept?: KeptBuilds | undefined;
  /** Starts to listen. Throws the system's error if it cannot. */
  readonly listen: (web: WebService, port: number) => Listener;
}

/** Keeps the files of builds of the page, and finds them. */
export interface KeptBuilds extends FindKept {
  keep(build: PageBuild): Promise<void>;
}

const NOT_BUILT = 'it is not built; run "bun run build" to see why';

/**
 * Starts to serve the web client. An instance can run without it: if it is not built, or if its port is in use and the
 * owner did not choose that port. Throws StartError if the owner chose the port, a path of the page for a component,
 * or an icon that cannot be used.
 */
export async function startWeb(ctx: ServiceContext, start: WebStart): Promise<StartedWeb> {
  const { deployment, folder } = start;
  const { host: hostname, webPort: port, webPortGiven } = deployment;
  if (port === 'off' || !deployment.components.includes('web'))
    return { client: { state: 'off' }, listener: undefined };
  if (folder === undefined || !existsSync(join(folder, PAGE_FILE))) return missing(ctx, NOT_BUILT);
  const site = await loadSite(folder).catch(errorMessage);
  if (typeof site === 'string') return missing(ctx, `it cannot be read: ${site}`);
  const config = { settings: ctx.settings, deployment };
  const own = branded(site, await readBrand(config));
  const service = webService(ctx, config, {
    site: own,
    plain: start.plain,
    kept: start.kept,
  });
  await keepBuild(ctx, own, start.kept);
  const open = () => start.listen(service, port);
  if (webPortGiven) {
    return served(deployment, port, await listening(PORT_VARIABLES.web, { hostname, port }, open));
  }
  try {
    return served(deployment, port, open());
  } catch (error) {
    const { web } = PORT_VARIABLES;
    return missing(ctx, `port ${port}: ${systemReason(error)}; ${web} chooses another`);
  }
}

/** Keeps the files of this build for the next one. The page works without that, except in windows that are open during an update. */
async function keepBuild(
  { log }: ServiceContext,
  site: Site,
  kept: KeptBuilds | undefined,
): Promise<void> {
  try {
    await kept?.keep(await packedBuild(site));
  } catch (error) {
    log.warn(
      { reason: errorMessage(error) },
      'the files of the page are not kept for the next update',
    );
  }
}

function served(deployment: Deployment, port: number, listener: Listener): StartedWeb {
  return { client: { state: 'served', url: webAddress(deployment, port) }, listener };
}

function missing({ log }: ServiceContext, reason: string): StartedWeb {
  log.warn({ reason }, 'the web client is not served');
  return { client: { state: 'missing', reason }, listener: undefined };
}
