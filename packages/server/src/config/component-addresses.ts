import type { Config, Deployment, InstanceSettings } from './config.ts';
import type { Addresses } from '../context.ts';

/**
 * The addresses at which clients reach the components: the configured URLs, or else below the public address, or else
 * where the components listen (Instance file: url, public_url). `host` is the host name for the latter, by default that
 * of this machine.
 */
export function componentAddresses(config: Config, host?: string): Addresses {
  const { settings } = config;
  const { rest, gateway, files, publicUrl } = settings;
  const usual =
    publicUrl === undefined ? portAddresses(config, host) : addressesBelow(publicUrl, settings);
  return {
    rest: rest.url ?? usual.rest,
    gateway: gateway.url ?? usual.gateway,
    files: files.url ?? usual.files,
  };
}

/** Returns where the components listen, under the name `host`. */
export function portAddresses(
  { deployment }: Pick<Config, 'deployment'>,
  host = localHost(deployment.host),
): Addresses {
  return {
    rest: `http://${host}:${deployment.restPort}`,
    gateway: `ws://${host}:${deployment.gatewayPort}`,
    files: `http://${host}:${deployment.filesPort}`,
  };
}

/** Returns where the components are if the web client is at `url`. */
export function addressesBelow(url: string, settings: Pick<InstanceSettings, 'web'>): Addresses {
  const base = url.replace(/\/+$/, '');
  const { rest, gateway, files } = servicePaths(settings);
  return {
    rest: base + rest,
    gateway: base.replace(/^http/i, 'ws') + gateway,
    files: base + files,
  };
}

/** At which paths the port of the web client serves the components. */
export function servicePaths({ web }: Pick<InstanceSettings, 'web'>): Addresses {
  return { rest: web.restPath, gateway: web.gatewayPath, files: web.filesPath };
}

/** In place of a host name: any. */
export const ANY_HOST = '*';

/**
 * The addresses that the file service is known to have, that for clients first. Messages may name any of them. If the
 * instance listens on every address and no public one is configured, clients come by names that nothing here knows:
 * these have {@link ANY_HOST}.
 */
export function fileAddresses(config: Config): readonly string[] {
  const { settings, deployment } = config;
  const { components, host, webPort } = deployment;
  const isNamedByAll = isEverywhere(host) && settings.publicUrl === undefined;
  const own = isNamedByAll ? ANY_HOST : localHost(host);
  const isAtWebPort = components.includes('web') && webPort !== 'off';
  const atWebPort = isAtWebPort ? [addressesBelow(`http://${own}:${webPort}`, settings).files] : [];
  return [
    ...new Set([componentAddresses(config).files, portAddresses(config, own).files, ...atWebPort]),
  ];
}

/** Returns where the owner opens the web client. */
export function webAddress({ host }: Pick<Deployment, 'host'>, port: number | string): string {
  return `http://${localHost(host)}:${port}`;
}

/** Returns whether an instance that listens on `host` does so on every address of its machine. */
export function isEverywhere(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}

// "Every address" is not an address to connect to.
function localHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
