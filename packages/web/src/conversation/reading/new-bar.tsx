import { useFormats, useText } from '../../text/use-text.ts';
import { ArrowUpIcon } from '../../ui/action-icons.tsx';
import { CloseIcon } from '../../ui/icons.tsx';
import { useToday } from '../../ui/use-today.ts';
import type { RowList } from '../list/use-row-list.ts';
import { useConversation } from '../use-conversation.ts';
import { useShownPart } from '../use-shown-part.ts';
import { isAfter, newMessagesAfter } from './new-messages.ts';

/** Shows how many messages are new since the reader left off, while the first of them is above the visible ones. */
export function NewBar({ list }: { readonly list: RowList }) {
  const { messages, place, readMark } = useConversation();
  const { isLive } = useShownPart().messages;
  const { reading: words } = useText();
  const formats = useFormats();
  const today = useToday();
  const leftOff = readMark.leftOff.value;
  if (leftOff === undefined || readMark.isDismissed.value || !isLive) return null;
  const { afterId, sinceMs } = leftOff;
  const entries = messages.entries.value;
  const isWhole = messages.older.value === 'none';
  const { count, isMore } = newMessagesAfter(entries, afterId, isWhole);
  if (count === 0 || !(isMore || isNewAbove(list))) return null;
  const jump = () => {
    readMark.dismiss();
    const isFirst = (entry: (typeof entries)[number]) =>
      entry.kind === 'message' && isAfter(entry, afterId);
    const first = isMore ? undefined : entries.find(isFirst);
    const id = first?.kind === 'message' ? first.id : undefined;
    void place.seek(id ?? afterId, { orNext: true });
    list.virtualizer.scrollElement?.focus({ preventScroll: true });
  };
  const since = sinceMs >= today ? formats.time(sinceMs) : formats.day(sinceMs, today);
  const shown = `${formats.count(count)}${isMore ? '+' : ''}`;
  return (
    <div class="new-bar">
      <button type="button" class="new-bar-jump" title={words.jumpToNew} onClick={jump}>
        <ArrowUpIcon />
        <span>{words.newSince(count, shown, since)}</span>
      </button>
      <button
        type="button"
        class="new-bar-close"
        aria-label={words.dismissNew}
        title={words.dismissNew}
        onClick={() => readMark.dismiss()}
      >
        <CloseIcon />
      </button>
    </div>
  );
}

function isNewAbove({ rows, virtualizer }: RowList): boolean {
  const index = rows.findLastIndex(({ kind }) => kind === 'new');
  return index !== -1 && index < (virtualizer.range?.startIndex ?? 0);
}
