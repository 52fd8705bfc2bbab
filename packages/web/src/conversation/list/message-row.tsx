import { useSignal } from '@preact/signals';
import { useMemo, useState } from 'preact/hooks';
import { Attachment } from '../attachments/attachment.tsx';
import { useAttachments } from '../attachments/use-attachments.ts';
import { Markdown } from '../markdown/markdown.tsx';
import { isOneEmoji } from '../markdown/one-emoji.ts';
import { fold, type MarkdownCache } from '@hearth/markdown';
import { useAccounts } from '../../account/use-accounts.ts';
import { useFormats, useText } from '../../text/use-text.ts';
import { PinIcon } from '../../ui/action-icons.tsx';
import { QuoteLine } from '../actions/quote-line.tsx';
import { RowActions } from '../actions/row-actions.tsx';
import { ReactionList } from '../changes/reaction-list.tsx';
import { namingByText, type Naming } from '../mentions.ts';
import { quoteIn } from '../reply-target.ts';
import { useConversation } from '../use-conversation.ts';
import { DeliveryNote } from './delivery-note.tsx';
import { EditorOnDemand } from '../changes/editor-on-demand.tsx';
import { MessageAvatar, MessageHead, useWriter } from './message-head.tsx';
import { PostCard, PostLink } from './post-card.tsx';
import { SelectBox } from './select-box.tsx';
import type { MessageRow, ShownMessage } from './timeline.ts';

/** Longer text is shown in part until the reader wants all of it. */
const SHOWN_AT_FIRST = { characters: 3_000, lines: 60 };

interface MessageViewProps {
  readonly row: MessageRow;
  readonly markdown: MarkdownCache;
}

/** A message: who, when, what. */
export function MessageView({ row, markdown }: MessageViewProps) {
  const conversation = useConversation();
  const { message, isGroupStart, delivery } = row;
  const { conversation: words } = useText();
  const formats = useFormats();
  const { name } = useWriter(message);
  const quote = useMemo(() => quoteIn(conversation, message.content), [conversation, message]);
  const reader = useAccounts().name.value;
  const text = quote?.text ?? message.content;
  const naming = useMemo(
    () => conversation.naming?.(message) ?? namingByText(message, quote, reader),
    [conversation, message, quote, reader],
  );
  const isForReader = !message.isOwn && (naming.isForReader || quote?.author === reader);
  const isNear = useSignal(false);
  const comeNear = () => void (isNear.value = true);
  const label = words.articleLabel(name, formats.full(message.createdAtMs));
  return (
    <article
      class="message"
      tabIndex={-1}
      aria-label={label}
      // Not when the pointer enters, which it does by itself while the list scrolls.
      onPointerMove={comeNear}
      onFocusIn={comeNear}
      // Screen readers need not read out what their user has just written.
      aria-live={message.isOwn ? 'off' : undefined}
      data-own={message.isOwn || undefined}
      data-mention={isForReader || undefined}
      data-start={isGroupStart || undefined}
      data-delivery={delivery?.state}
    >
      <div class="message-aside" aria-hidden="true">
        {isGroupStart ? (
          <MessageAvatar message={message} />
        ) : (
          <span class="message-hover-time">{formats.time(message.createdAtMs)}</span>
        )}
      </div>
      <div class="message-main">
        {isGroupStart && <MessageHead message={message} />}
        {quote !== undefined && <QuoteLine quote={quote} user={message.repliedTo} />}
        <EditorOnDemand message={message}>
          {message.isCard ? (
            <PostCard message={message} />
          ) : (
            <MessageBody content={text} markdown={markdown} naming={naming} />
          )}
          <MessageNotes message={message} />
        </EditorOnDemand>
        {message.id !== undefined && message.reactions !== undefined && (
          <ReactionList id={message.id} reactions={message.reactions} />
        )}
        {delivery !== undefined && <DeliveryNote message={message} delivery={delivery} />}
      </div>
      <SelectBox id={message.id} />
      <RowActions row={row} text={text} isNear={isNear} />
    </article>
  );
}

/** Below the text: whether it was changed, and whether it is pinned. */
function MessageNotes({ message }: { readonly message: ShownMessage }) {
  const { editedAtMs, isPinned, postId, isCard } = message;
  const post = isCard ? undefined : postId;
  if (editedAtMs === undefined && isPinned === undefined && post === undefined) return null;
  return (
    <div class="message-notes">
      {editedAtMs !== undefined && <EditedNote message={message} atMs={editedAtMs} />}
      {isPinned && <PinnedMark />}
      {post !== undefined && <PostLink id={post} />}
    </div>
  );
}

interface EditedProps {
  readonly message: ShownMessage;
  readonly atMs: number;
}

/** That the text was changed; for those who may see its earlier versions, a button that shows them. */
function EditedNote({ message, atMs }: EditedProps) {
  const { reading: words } = useText();
  const formats = useFormats();
  const { rights, showVersions } = useConversation();
  const note = (
    <time class="message-edited" dateTime={new Date(atMs).toISOString()} title={formats.full(atMs)}>
      ({words.edited})
    </time>
  );
  if (showVersions === undefined || rights?.value.moderate !== true) return note;
  return (
    <button
      type="button"
      class="edited-button"
      tabIndex={-1}
      aria-haspopup="dialog"
      onClick={() => showVersions(message)}
    >
      {note}
    </button>
  );
}

function PinnedMark() {
  const { pinned } = useText().reading;
  return (
    <span class="message-pinned" role="img" aria-label={pinned} title={pinned}>
      <PinIcon />
    </span>
  );
}

interface MessageBodyProps {
  readonly content: string;
  readonly markdown: MarkdownCache;
  readonly naming: Naming;
}

function MessageBody({ content, markdown, naming }: MessageBodyProps) {
  const attachments = useAttachments();
  const { conversation: words } = useText();
  const [isWhole, setIsWhole] = useState(false);
  const { text, ids } = useMemo(() => attachments.split(content), [attachments, content]);
  const whole = markdown.get(text);
  const folded = useMemo(() => fold(whole, SHOWN_AT_FIRST), [whole]);
  return (
    <>
      {text !== '' && (
        <div class="message-text" data-emoji={isOneEmoji(text) || undefined}>
          <Markdown text={isWhole ? whole : folded.text} naming={naming} />
          {folded.isCut && (
            <button type="button" class="text-button" onClick={() => setIsWhole(!isWhole)}>
              {isWhole ? words.showLess : words.showAll}
            </button>
          )}
        </div>
      )}
      {ids.length > 0 && (
        <div class="attachments" data-many={ids.length > 1 || undefined}>
          {ids.map((id) => (
            <Attachment key={id} id={id} isTile={ids.length > 1} />
          ))}
        </div>
      )}
    </>
  );
}
