import { drawsNothing, UNSAFE_CHARACTERS } from '@hearth/protocol';
import type { Catalogue } from '../../text/catalogue.ts';

/** A file's name on one line, in its true direction; a word for a file if nobody would see the name. */
export function shownFileName(
  { name }: { readonly name: string },
  { nameless }: Pick<Catalogue['attachments'], 'nameless'>,
): string {
  return drawsNothing(name) ? nameless : name.replaceAll(UNSAFE_CHARACTERS, '\u{FFFD}');
}
