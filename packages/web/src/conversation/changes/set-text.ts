import type { Id } from '@hearth/protocol';
import type { ConversationSource } from '../conversation-source.ts';
import { detailsOf } from '../messages/entry.ts';
import type { OwnChanges } from './own-changes.ts';

interface Setting {
  readonly source: Pick<ConversationSource, 'changeMessage'>;
  readonly changes: Pick<OwnChanges, 'show'>;
}

/** Changes the text of a message. It is shown at once, and is as before if that fails; then this throws. */
export async function setText(
  { source, changes }: Setting,
  { id, from, to }: { readonly id: Id; readonly from: string; readonly to: string },
): Promise<void> {
  changes.show({ kind: 'text', id, from, to });
  try {
    const changed = await source.changeMessage({ id, content: to });
    const { author, content } = changed;
    changes.show({ kind: 'update', message: { id, author, content, ...detailsOf(changed) } });
  } catch (error) {
    changes.show({ kind: 'text', id, from: to, to: from });
    throw error;
  }
}
