import type { ComponentName } from '../config/engine-types.ts';

/**
 * How many connections to PostgreSQL the operations of a component use at most. PostgreSQL takes 100 connections by default, three
 * of them for superusers. Two processes of each component leave room for owner's commands and backups.
 */
const CONNECTIONS: Readonly<Record<ComponentName, number>> = {
  rest: 16,
  gateway: 8,
  files: 8,
  web: 4,
};

/** The same of an owner's command. */
export const OWNER_CONNECTIONS = 4;

/** The same of a process, which does everything on one core: as many as the component that needs most. */
export function connectionsOf(components: readonly ComponentName[]): number {
  return Math.max(...components.map((component) => CONNECTIONS[component]));
}
