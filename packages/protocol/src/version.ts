/** The version of the documented interface that this package describes (Versioning). */
export const INTERFACE_VERSION = '0.3.2';

/**
 * The `version` of an InstanceInfo. The interface's version comes first, so that clients can compare it.
 *
 * @example instanceVersion('0.1.0') // '0.3.2+hearth.0.1.0'
 */
export function instanceVersion(hearthVersion: string): string {
  return `${INTERFACE_VERSION}+hearth.${hearthVersion}`;
}
