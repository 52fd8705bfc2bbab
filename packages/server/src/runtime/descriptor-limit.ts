/** Kept free of sockets: requests, files, the database and connections that are still closing need descriptors too. */
const LEAST_RESERVED = 96;
const MOST_RESERVED = 2_048;

/** Where the system tells no limit. */
const ASSUMED_DESCRIPTORS = 4_096;

/** Sockets that may be open at once, given the descriptors that the process may have; at the limit itself the runtime spins. */
export function socketsWithin(descriptors: number): number {
  const reserved = Math.min(MOST_RESERVED, Math.max(LEAST_RESERVED, Math.floor(descriptors / 4)));
  return Math.max(1, descriptors - reserved);
}

/** Descriptors that this process may have. */
export function descriptorLimit(): number {
  const report: unknown = process.report.getReport();
  const soft = property(property(property(report, 'userLimits'), 'open_files'), 'soft');
  return typeof soft === 'number' ? soft : ASSUMED_DESCRIPTORS;
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
