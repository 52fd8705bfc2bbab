import {
  descriptorLimit,
  descriptorShares,
} from '../../packages/server/src/runtime/descriptor-limit.ts';

/** For the connections that post, and whatever else a process has open. */
const SPARE = 100;

/** `wanted` sockets, or as many as the system's limit of descriptors (ulimit -n) lets an instance and a load have. */
export function mostSockets(wanted: number): number {
  return Math.min(wanted, descriptorShares(descriptorLimit()).admitted - SPARE);
}
