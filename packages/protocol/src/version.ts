/** Version of the documented interface that this package describes (Versioning). */
export const INTERFACE_VERSION = '0.3.2';

/**
 * The `version` of an InstanceInfo: the interface's version first, so that clients' comparisons hold.
 *
 * @example instanceVersion('0.1.0') // '0.3.2+hearth.0.1.0'
 */
export function instanceVersion(hearthVersion: string): string {
  return `${INTERFACE_VERSION}+hearth.${hearthVersion}`;
}
