import { UNSAFE_CHARACTERS } from '@hearth/protocol';
import type { FileData } from '@hearth/sdk';

/** A file's name on one line, in its true direction. */
export function shownFileName({ name }: Pick<FileData, 'name'>): string {
  return name.replaceAll(UNSAFE_CHARACTERS, '\u{FFFD}');
}
