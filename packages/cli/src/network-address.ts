import { existsSync } from 'node:fs';
import { networkInterfaces, type NetworkInterfaceInfo } from 'node:os';

/** The interfaces of a machine, by their names. */
export type Interfaces = Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>;

/** Interfaces of containers, virtual machines and tunnels, at which nobody in the local network is. */
const VIRTUAL = /^(docker|br-|veth|virbr|vmnet|vboxnet|tun|tap|utun|wg|tailscale|cni|podman)/;

/** A container has an address that only its own machine can reach. */
const CONTAINER_MARKS = ['/.dockerenv', '/run/.containerenv'];

/** This machine's address in the local network, as an address names it; undefined if none is known. */
export function networkHost(): string | undefined {
  return CONTAINER_MARKS.some(existsSync) ? undefined : hostAmong(networkInterfaces());
}

/** The address that other machines most likely reach: IPv4 before IPv6, and real interfaces only. */
export function hostAmong(interfaces: Interfaces): string | undefined {
  const addresses = Object.entries(interfaces).flatMap(([name, infos = []]) =>
    VIRTUAL.test(name) ? [] : infos.filter(({ internal }) => !internal),
  );
  const [v4] = addresses.filter(({ family }) => family === 'IPv4');
  if (v4 !== undefined) return v4.address;
  const v6 = addresses.find(
    ({ family, address }) => family === 'IPv6' && !address.startsWith('fe80:'),
  );
  return v6 === undefined ? undefined : `[${v6.address}]`;
}
