import { drawsNothing } from '@hearth/protocol';

/** Returns what somebody has typed for others to read, without the space around it: nothing, if nobody would see it. */
export function typedText(typed: string): string {
  return drawsNothing(typed) ? '' : typed.trim();
}
