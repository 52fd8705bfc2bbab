import type { Catalogue } from '../../text/catalogue.ts';
import { DeleteIcon, EditIcon, LinkIcon, ReplyIcon } from '../../ui/action-icons.tsx';
import type { MessageAction } from './message-action.ts';
import { reply } from './reply.ts';
import { copyText } from '../../ui/copy-text.ts';
import { CopyIcon, EmojiIcon, PeopleIcon } from '../../ui/icons.tsx';
import type { MayChange } from '../changes/may-change.ts';
import type { Conversation } from '../conversation.ts';
import type { MessageRow } from '../list/timeline.ts';
import { messageUrl } from '../message-url.ts';
import { withoutQuote } from '../reply-target.ts';

interface ActionOptions {
  readonly words: Catalogue['reading'];
  /** The button beside which an emoji picker stands. */
  readonly opener: HTMLElement;
  readonly may: MayChange;
  /** Begins to change the text of a message. */
  readonly edit: (message: MessageRow['message']) => void;
  /** Actions that only this conversation has. */
  readonly more: readonly MessageAction[];
}

/**
 * Returns what can be done with the message of a row, the most usual first. A message on its way cannot be referred to.
 */
export function messageActions(
  conversation: Conversation,
  { message, delivery }: MessageRow,
  { words, opener, may, edit, more }: ActionOptions,
): readonly MessageAction[] {
  const { id, content, reactions = [] } = message;
  const { acting } = conversation.changes;
  const actions: MessageAction[] = [];
  if (may.react && id !== undefined) {
    const run = () => void (acting.value = { kind: 'react', id, opener });
    actions.push({ key: 'react', label: words.react, icon: <EmojiIcon />, run });
  }
  if (delivery === undefined) {
    const run = () => reply(conversation, message);
    actions.push({ key: 'reply', label: words.reply, icon: <ReplyIcon />, run });
  }
  if (may.edit) {
    const run = () => edit(message);
    actions.push({ key: 'edit', label: words.edit, icon: <EditIcon />, run });
  }
  if (id !== undefined && reactions.length > 0) {
    const run = () => void (acting.value = { kind: 'reactions', id });
    actions.push({ key: 'reactions', label: words.reactions, icon: <PeopleIcon />, run });
  }
  if (id !== undefined) {
    const run = async () =>
      (await copyText(messageUrl(conversation, id))) ? words.linkCopied : words.notCopied;
    actions.push({ key: 'copyLink', label: words.copyLink, icon: <LinkIcon />, run });
  }
  const text = withoutQuote(conversation, content);
  const run = async () => ((await copyText(text)) ? words.textCopied : words.notCopied);
  actions.push({ key: 'copyText', label: words.copyText, icon: <CopyIcon />, run });
  actions.push(...more);
  if (may.delete && id !== undefined) {
    const remove = () => void (acting.value = { kind: 'delete', id });
    const look = { isDanger: true, isAfterLine: true };
    actions.push({
      key: 'delete',
      label: words.remove,
      icon: <DeleteIcon />,
      ...look,
      run: remove,
    });
  }
  return actions;
}
