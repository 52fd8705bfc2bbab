import { closeSync, openSync, readFileSync } from 'node:fs';
import { errorCode } from '../lib/error-code.ts';

/** The number of sockets that may be held at once; at the limit of descriptors itself the runtime spins. */
export interface SocketLimits {
  readonly admitted: number;
  /** In addition to those: sockets that are only admitted to be sent the reason for their refusal. */
  readonly refused: number;
}

/** The numbers of descriptors that sockets and files may hold for long. */
export interface DescriptorShares extends SocketLimits {
  /** Requests to the file service, which hold one file each. */
  readonly fileRequests: number;
}

/** Kept free of admitted sockets: refused ones, requests, files and the database need descriptors too. */
const LEAST_RESERVED = 96;
const MOST_RESERVED = 2_048;

/** Number of free descriptors below which idle connections are cut. */
const SPARE = 24;

/** Used if the system reports no limit. */
const ASSUMED_DESCRIPTORS = 4_096;

/** Returns what fits into the descriptors that the process may have. */
export function descriptorShares(descriptors: number): DescriptorShares {
  const reserved = Math.min(MOST_RESERVED, Math.max(LEAST_RESERVED, Math.floor(descriptors / 4)));
  const fileRequests = Math.max(1, Math.floor(descriptors / 16));
  return {
    admitted: Math.max(1, descriptors - reserved - 2 * fileRequests),
    refused: Math.floor(reserved / 2),
    fileRequests,
  };
}

/** Returns whether fewer than {@link SPARE} descriptors are left. Finds out by taking them for a moment. */
export function areDescriptorsShort(): boolean {
  const taken: number[] = [];
  try {
    while (taken.length < SPARE) taken.push(openSync('/dev/null', 'r'));
    return false;
  } catch (error) {
    if (!['EMFILE', 'ENFILE'].includes(errorCode(error) ?? '')) throw error;
    return true;
  } finally {
    for (const descriptor of taken) closeSync(descriptor);
  }
}

/** Descriptors that this process may have. */
export function descriptorLimit(): number {
  return ownLimit() ?? reportedLimit() ?? ASSUMED_DESCRIPTORS;
}

// What Linux reports, in a tenth of the time that a process report takes.
function ownLimit(): number | undefined {
  try {
    const [, soft] =
      /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined ? undefined : Number(soft);
  } catch {
    return undefined;
  }
}

function reportedLimit(): number | undefined {
  const report: unknown = process.report.getReport();
  const soft = property(property(property(report, 'userLimits'), 'open_files'), 'soft');
  return typeof soft === 'number' ? soft : undefined;
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
