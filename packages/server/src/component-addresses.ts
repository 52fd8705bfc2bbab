import type { Config } from './config/config.ts';
import type { Addresses } from './context.ts';

/** Where the components are reached: the configured urls, or this machine's own addresses (Instance file: url). */
export function componentAddresses({ settings, deployment }: Config): Addresses {
  const host = localHost(deployment.host);
  return {
    rest: settings.rest.url ?? `http://${host}:${deployment.restPort}`,
    gateway: settings.gateway.url ?? `ws://${host}:${deployment.gatewayPort}`,
    files: settings.files.url ?? `http://${host}:${deployment.filesPort}`,
  };
}

// Listening on every address is not an address to connect to.
function localHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
