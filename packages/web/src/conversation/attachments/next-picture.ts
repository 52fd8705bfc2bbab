import type { ShownMessages } from '../messages/shown-messages.ts';
import type { Attachments } from './attachments.ts';

/** The place to look for pictures. */
interface Pictures {
  readonly attachments: Pick<Attachments, 'split' | 'known' | 'revealed'>;
  readonly entries: ShownMessages['entries'];
}

/** The picture after or before that one in the conversation, among those that are known and not hidden. */
export function nextPicture(
  { attachments, entries }: Pictures,
  id: string,
  step: 1 | -1,
): string | undefined {
  const ids = entries
    .peek()
    .flatMap((entry) => (entry.kind === 'message' ? attachments.split(entry.content).ids : []));
  const isShown = (each: string) => {
    const data = attachments.known(each);
    if (each === id || data?.metadata.type !== 'image') return false;
    return data.spoiler !== true || attachments.revealed.peek().has(each);
  };
  const at = ids.indexOf(id);
  if (at === -1) return undefined;
  return step === 1 ? ids.slice(at + 1).find(isShown) : ids.slice(0, at).findLast(isShown);
}
