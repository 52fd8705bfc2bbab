import type { ComponentChildren } from 'preact';
import type { Catalogue } from '../../text/catalogue.ts';
import { LinkIcon, ReplyIcon } from '../../ui/action-icons.tsx';
import { copyText } from '../../ui/copy-text.ts';
import { CopyIcon } from '../../ui/icons.tsx';
import type { Conversation } from '../conversation.ts';
import type { MessageRow } from '../list/timeline.ts';
import { messageUrl } from '../message-url.ts';
import { withoutQuote } from '../reply-target.ts';

/** Something that a reader can do with a message. */
export interface MessageAction {
  /** Editing, deleting and reacting need accounts: their actions belong in {@link messageActions}, too. */
  readonly key: 'reply' | 'copyLink' | 'copyText';
  readonly label: string;
  readonly icon: ComponentChildren;
  /** Returns a sentence about what it did, if that cannot be seen. */
  run(): void | Promise<string>;
}

/** What can be done with the message of a row, the most usual first. A message on its way cannot be referred to. */
export function messageActions(
  conversation: Conversation,
  { message, delivery }: MessageRow,
  { reading: words }: Catalogue,
): readonly MessageAction[] {
  const { id, content } = message;
  const actions: MessageAction[] = [];
  if (delivery === undefined) {
    const run = () => reply(conversation, message);
    actions.push({ key: 'reply', label: words.reply, icon: <ReplyIcon />, run });
  }
  if (id !== undefined) {
    const run = async () =>
      (await copyText(messageUrl(conversation, id))) ? words.linkCopied : words.notCopied;
    actions.push({ key: 'copyLink', label: words.copyLink, icon: <LinkIcon />, run });
  }
  const text = withoutQuote(conversation, content);
  const run = async () => ((await copyText(text)) ? words.textCopied : words.notCopied);
  actions.push({ key: 'copyText', label: words.copyText, icon: <CopyIcon />, run });
  return actions;
}

/** Begins a reply to a message. */
export function reply(
  conversation: Conversation,
  { id, author, content }: MessageRow['message'],
): void {
  const url = id === undefined ? undefined : messageUrl(conversation, id);
  // A quote of a quote would name the wrong author.
  const text = withoutQuote(conversation, content);
  conversation.reply.value = { id, author, content: text, url };
  conversation.draft.resume();
}
