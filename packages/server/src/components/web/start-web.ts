import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { webAddress } from '../../component-addresses.ts';
import type { Deployment } from '../../config/config.ts';
import { PORT_VARIABLES } from '../../config/environment-options.ts';
import type { DoorContext } from '../../context.ts';
import { errorMessage } from '../../error-code.ts';
import type { Listener } from '../../runtime/http-server.ts';
import { listening, systemReason } from '../listening.ts';
import { SILENCE_SECONDS, type ServeDoor } from '../serve-door.ts';
import { loadSite, PAGE_FILE } from './site.ts';
import { WEB_OPERATION, webDoor } from './web.ts';

/** What became of the web client at the start. */
export type WebClient =
  | { readonly state: 'served'; readonly url: string }
  | { readonly state: 'off' }
  | { readonly state: 'missing'; readonly reason: string };

/** The web client and, where it is served, what serves it. */
export type StartedWeb =
  | { readonly client: Extract<WebClient, { state: 'served' }>; readonly listener: Listener }
  | { readonly client: Exclude<WebClient, { state: 'served' }>; readonly listener: undefined };

/** What the start of the web client needs. */
export interface WebStart {
  readonly deployment: Deployment;
  /** Where the client is built, if it is. */
  readonly folder: string | undefined;
  readonly serve: ServeDoor;
  readonly mostRequests: number;
}

const NOT_BUILT = 'it is not built, and "bun run build" tells why';

/**
 * Starts to serve the web client, which an instance can do without: where it is not built, and where nobody chose the
 * port that is in use. Throws StartError where the owner chose it.
 */
export async function startWeb(ctx: DoorContext, start: WebStart): Promise<StartedWeb> {
  const { deployment, folder } = start;
  const { host: hostname, webPort: port, webPortGiven } = deployment;
  if (port === 'off' || !deployment.components.includes('web'))
    return { client: { state: 'off' }, listener: undefined };
  if (folder === undefined || !existsSync(join(folder, PAGE_FILE))) return missing(ctx, NOT_BUILT);
  const site = await loadSite(folder).catch(errorMessage);
  if (typeof site === 'string') return missing(ctx, `it cannot be read: ${site}`);
  const door = webDoor(ctx, { settings: ctx.settings, deployment }, site);
  const { serve, mostRequests } = start;
  const options = { port, unreadSeconds: SILENCE_SECONDS, mostRequests, operation: WEB_OPERATION };
  const open = () => serve(door, options);
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

function served(deployment: Deployment, port: number, listener: Listener): StartedWeb {
  return { client: { state: 'served', url: webAddress(deployment, port) }, listener };
}

function missing({ log }: DoorContext, reason: string): StartedWeb {
  log.warn({ reason }, 'the web client is not served');
  return { client: { state: 'missing', reason }, listener: undefined };
}
