import type { BusEvent } from '../../ports/bus/bus.ts';
import { messageExcerpt } from '../../features/talk/messages/messages.ts';
import { idIn } from './removal.ts';

const UPDATE = '_UPDATE';

/** What an event changes: the thing of this noun with this identifier, which is like this from then on. */
export interface Edit {
  readonly noun: string;
  readonly id: string;
  readonly d: object;
}

/** What an event changes, such as the message of a MESSAGE_UPDATE; undefined if it changes nothing. */
export function editOf({ op, d }: BusEvent): Edit | undefined {
  const id = op.endsWith(UPDATE) ? idIn({ d }) : undefined;
  return id === undefined ? undefined : { noun: op.slice(0, -UPDATE.length), id, d };
}

/** An event about a reply to something, with what it shows of that after an edit; undefined for any other event. */
export function withExcerpt(text: string, { noun, id, d }: Edit): BusEvent | undefined {
  // Guarantee: `streamText` writes this shape.
  const before = JSON.parse(text) as {
    readonly op: string;
    readonly d: { readonly reply_to?: object & { readonly id: string } };
  };
  const { op, d: reply } = before;
  if (!op.startsWith(`${noun}_`) || reply.reply_to?.id !== id) return undefined;
  if (!('content' in d) || typeof d.content !== 'string') return undefined;
  const isCard = 'kind' in d && d.kind === 'post';
  const excerpt = messageExcerpt({ content: d.content, isCard });
  return { op, d: { ...reply, reply_to: { ...reply.reply_to, excerpt } } };
}

/** An event that showed something whole, as it is after an edit; undefined for any other event. */
export function edited(text: string, { noun, id, d }: Edit): BusEvent | undefined {
  // Guarantee: `profileText` and `streamText` write this shape.
  const before = JSON.parse(text) as {
    readonly op: string;
    readonly d: { readonly id?: string; readonly nonce?: string };
  };
  const isWhole = before.op === `${noun}_CREATE` || before.op === `${noun}${UPDATE}`;
  if (!isWhole || before.d.id !== id) return undefined;
  const { nonce } = before.d;
  // Its author recognises it by this.
  return { op: before.op, d: nonce === undefined ? d : { ...d, nonce } };
}
