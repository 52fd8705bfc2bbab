import type { OwnServices } from '@hearth/protocol';
import {
  addressesBelow,
  ANY_HOST,
  componentAddresses,
  fileAddresses,
  portAddresses,
  servicePaths,
} from '../../config/component-addresses.ts';
import type { Config } from '../../config/config.ts';
import type { Addresses } from '../../context.ts';

export type Service = keyof Addresses;

const SERVICES: readonly Service[] = ['rest', 'gateway', 'files'];

/**
 * The components that the page finds at its own origin: those that this process runs, unless their own `url` is
 * configured.
 */
export function ownServices({ settings, deployment }: Config): readonly Service[] {
  return SERVICES.filter(
    (name) => deployment.components.includes(name) && settings[name].url === undefined,
  );
}

/** What the page is given about them if it was opened under the name `host`. */
export function describeOwnServices(config: Config, host: string | undefined): OwnServices {
  const { settings } = config;
  const paths = servicePaths(settings);
  const own = ownServices(config);
  const files = [undefined, host].map((name) => portAddresses(config, name).files);
  return {
    paths: Object.fromEntries(own.map((name) => [name, paths[name].slice(1)])),
    has_public_url: settings.publicUrl !== undefined,
    file_addresses: own.includes('files') ? [...new Set(files)] : [],
    listed_addresses: listedAddresses(config, host),
  };
}

/** The addresses by which messages list their files, under the names that the page may know them by. */
function listedAddresses(config: Config, host: string | undefined): string[] {
  const hosts = [undefined, host].map(
    (name) => new URL(portAddresses(config, name).files).hostname,
  );
  const named = fileAddresses(config).flatMap((address) =>
    hosts.map((name) => address.replace(ANY_HOST, () => name)),
  );
  return [...new Set(named)];
}

/** Where the components are if the web client is at `origin` and no public address is configured. */
export function addressesAt(config: Config, origin: string, host?: string): Addresses {
  const { settings } = config;
  const known = componentAddresses(config, host);
  if (settings.publicUrl !== undefined) return known;
  const below = addressesBelow(origin, settings);
  const own = ownServices(config).map((name) => [name, below[name]] as const);
  return { ...known, ...Object.fromEntries(own) };
}
