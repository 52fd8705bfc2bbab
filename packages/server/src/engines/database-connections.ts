import type { ComponentName } from '../config/engine-types.ts';

/**
 * The largest number of connections to PostgreSQL that the operations of a component use. PostgreSQL takes 100
 * connections by default, three of them for superusers. Two processes of each component leave room for owner's commands
 * and backups.
 */
const CONNECTIONS: Readonly<Record<ComponentName, number>> = {
  rest: 16,
  gateway: 8,
  files: 8,
  web: 4,
};

/** The largest number of connections of an owner's command. */
export const OWNER_CONNECTIONS = 4;

/**
 * Returns the largest number of connections of a process, which does everything on one core: as many as the component
 * that needs most.
 */
export function connectionsOf(components: readonly ComponentName[]): number {
  return Math.max(...components.map((component) => CONNECTIONS[component]));
}
