import type { Config, Deployment } from './config.ts';
import type { Addresses } from '../context.ts';

/**
 * The addresses at which clients reach the components: the configured URLs, or else where the components listen
 * (Instance file: url). `host` is the host name for the latter, by default that of this machine.
 */
export function componentAddresses(
  { settings, deployment }: Config,
  host = localHost(deployment.host),
): Addresses {
  return {
    rest: settings.rest.url ?? `http://${host}:${deployment.restPort}`,
    gateway: settings.gateway.url ?? `ws://${host}:${deployment.gatewayPort}`,
    files: settings.files.url ?? `http://${host}:${deployment.filesPort}`,
  };
}

/** Where the owner opens the web client. */
export function webAddress({ host }: Deployment, port: number): string {
  return `http://${localHost(host)}:${port}`;
}

/** Whether an instance that listens on `host` does so on every address of its machine. */
export function isEverywhere(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}

// "Every address" is not an address to connect to.
function localHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
