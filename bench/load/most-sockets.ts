import {
  descriptorLimit,
  descriptorShares,
} from '../../packages/server/src/runtime/descriptor-limit.ts';

/** For the connections that post, and everything else that a process has open. */
const SPARE = 100;

/**
 * `wanted` sockets, or as many as the system's limit of descriptors (ulimit -n) allows: an instance needs one for each
 * socket, and this process needs one for each socket of every subject.
 */
export function mostSockets(wanted: number, subjects: number): number {
  const limit = descriptorLimit();
  const ofInstance = descriptorShares(limit).admitted - SPARE;
  const ofLoad = Math.floor(limit / subjects) - SPARE;
  return Math.max(1, Math.min(wanted, ofInstance, ofLoad));
}

/** `wanted` handshakes at a time, or as many as an instance has descriptors for besides those of its sockets. */
export function mostHandshakes(wanted: number): number {
  return Math.min(wanted, descriptorShares(descriptorLimit()).refused);
}
