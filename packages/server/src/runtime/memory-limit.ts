import { totalmem } from 'node:os';

/** The most memory that the process may have, in bytes: that of the machine, or of its container. */
export function memoryLimitBytes(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}
