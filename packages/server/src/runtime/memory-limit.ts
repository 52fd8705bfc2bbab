import { totalmem } from 'node:os';

/** How much memory the process may have at most, in bytes: that of the machine, or of its container. */
export function memoryLimitBytes(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}
