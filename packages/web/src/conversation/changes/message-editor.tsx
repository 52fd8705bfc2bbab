import { countCodePoints } from '@hearth/sdk';
import type { TargetedKeyboardEvent } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { useAccountText } from '../../account/use-account-text.ts';
import { useInstance } from '../../instance/use-instance.ts';
import { useFormats, useText } from '../../text/use-text.ts';
import { useAttachments } from '../attachments/use-attachments.ts';
import { trimmedText } from '../composer/content.ts';
import { useAutoGrow } from '../composer/use-auto-grow.ts';
import { describeError } from '../describe-error.ts';
import type { ShownMessage } from '../list/timeline.ts';
import { quoteIn } from '../reply-target.ts';
import { useConversation } from '../use-conversation.ts';
import { editableParts, joinedParts } from './editable.ts';
import type { Acting } from './own-changes.ts';
import { setText } from './set-text.ts';
import { bringIntoView } from '../../lib/bring-into-view.ts';
import { ownKeys } from '../../ui/own-keys.ts';

interface EditorProps {
  readonly message: ShownMessage;
  readonly acting: Extract<Acting, { readonly kind: 'edit' }>;
}

/** The text of a message while its author changes it, in its place. Enter saves, Escape cancels. Loaded on use. */
export function MessageEditor({ message, acting }: EditorProps) {
  const { changes, draft } = useConversation();
  const { edit: words } = useAccountText();
  const box = useRef<HTMLTextAreaElement>(null);
  const { save, tooLong } = useSaving({ message, acting });
  const { text } = acting;
  useAutoGrow(box, text);
  useEffect(() => {
    const element = box.current;
    element?.focus({ preventScroll: true });
    element?.setSelectionRange(element.value.length, element.value.length);
    if (element !== null) bringIntoView(element);
  }, []);
  const leave = () => {
    changes.acting.value = undefined;
    draft.resume();
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLTextAreaElement>) => {
    event.stopPropagation();
    const isSaved = event.key === 'Enter' && !event.shiftKey;
    if (!isSaved && event.key !== 'Escape') return;
    event.preventDefault();
    if (isSaved) save();
    else leave();
  };
  const problem = tooLong ?? acting.problem;
  return (
    <div class="message-editor">
      <textarea
        ref={box}
        class="composer-box"
        rows={1}
        dir="auto"
        aria-label={words.label}
        aria-invalid={problem !== undefined}
        value={text}
        onInput={(event) => {
          const { id } = acting;
          changes.acting.value = { kind: 'edit', id, text: event.currentTarget.value };
        }}
        onKeyDown={ownKeys(onKeyDown)}
      />
      <p class="problem" role="alert">
        {problem}
      </p>
      <div class="form-end">
        <button type="button" class="button button-primary" onClick={save}>
          {words.save}
        </button>
        <button type="button" class="button button-plain" onClick={leave}>
          {words.cancel}
        </button>
        <span class="hint">{words.keys}</span>
      </div>
    </div>
  );
}

/** Shows the new text at once; if it cannot be saved, the editor is there again with it. */
function useSaving({ message, acting }: EditorProps) {
  const conversation = useConversation();
  const attachments = useAttachments();
  const { info } = useInstance();
  const catalogue = useText();
  const formats = useFormats();
  const { edit: words } = useAccountText();
  const { changes, draft } = conversation;
  const { content: former } = message;
  const parts = useMemo(
    () => editableParts(former, quoteIn(conversation, former), attachments),
    [conversation, attachments, former],
  );
  const content = joinedParts(parts, trimmedText(acting.text));
  const over = countCodePoints(content) - info.message_limit;
  const { id, text } = acting;
  const send = async () => {
    try {
      await setText(conversation, { id, from: former, to: content });
    } catch (error) {
      const problem = words.notSaved(describeError(error, catalogue, formats));
      // Unless the reader does something else meanwhile.
      changes.acting.value ??= { kind: 'edit', id, text, problem };
    }
  };
  const save = () => {
    if (over > 0) return;
    // A message without content is one that is deleted.
    changes.acting.value = content === '' ? { kind: 'delete', id } : undefined;
    if (content === '') return;
    draft.resume();
    if (content !== former) void send();
  };
  return { save, tooLong: over > 0 ? words.tooLong(formats.count(over)) : undefined };
}
