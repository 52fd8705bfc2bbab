import type { TargetedSubmitEvent } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { SendIcon } from '../../ui/icons.tsx';
import { useText } from '../../text/use-text.ts';
import { useAccounts } from '../../account/use-accounts.ts';
import { useConversation } from '../use-conversation.ts';
import { AttachButton } from './attach-button.tsx';
import { ComposerPopups } from './composer-popups.tsx';
import { DropZone } from './drop-zone.tsx';
import { EmojiButton } from '../emoji/emoji-button.tsx';
import { LimitLine } from './limit-line.tsx';
import { MessageBox } from './message-box.tsx';
import { UploadViewsOnDemand } from '../uploads/upload-views-on-demand.tsx';
import { ReplyStrip } from './reply-strip.tsx';
import { knownNames } from './known-names.ts';
import { useCompletion } from './use-completion.ts';
import { usePastedFiles } from './use-pasted-files.ts';
import { useSend } from './use-send.ts';
import { ownKeys } from '../../ui/own-keys.ts';

/** The form in which messages are written and sent. */
export function Composer() {
  const conversation = useConversation();
  const { draft, reply, uploads, rights } = conversation;
  const mayAttach = rights?.value.attach ?? true;
  const limitsId = useId();
  const hasSomething = draft.text.value.trim() !== '' || uploads.picked.value.length > 0;
  usePastedFiles(uploads, mayAttach);
  const box = useRef<HTMLTextAreaElement>(null);
  const { send, problem, forgetProblem } = useSend(conversation, box);
  const suggestionsId = useId();
  const own = useAccounts().name;
  const completion = useCompletion(
    () => knownNames(conversation.messages.entries.peek(), own.peek()),
    conversation.findNames,
  );
  const [isPicking, setIsPicking] = useState(false);
  const endReply = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented || reply.peek() === undefined) return;
    event.preventDefault();
    reply.value = undefined;
    draft.resume();
  };
  const onSend = () => {
    completion.close();
    send();
  };
  const onSubmit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSend();
  };
  return (
    <form class="composer" onSubmit={onSubmit} onKeyDown={ownKeys(endReply)}>
      {mayAttach && <DropZone />}
      <UploadViewsOnDemand />
      <ReplyStrip />
      <ComposerPopups
        box={box}
        completion={completion}
        suggestionsId={suggestionsId}
        isPicking={isPicking}
        onPicked={() => setIsPicking(false)}
      />
      <div class="composer-row">
        {mayAttach && <AttachButton />}
        <MessageBox
          box={box}
          completion={completion}
          suggestionsId={suggestionsId}
          limitsId={limitsId}
          onChange={forgetProblem}
          onSend={onSend}
        />
        <EmojiButton isOpen={isPicking} onToggle={() => setIsPicking(!isPicking)} />
        <SendButton hasSomething={hasSomething} />
      </div>
      <LimitLine id={limitsId} problem={problem} />
    </form>
  );
}

function SendButton({ hasSomething }: { readonly hasSomething: boolean }) {
  const { composer: words } = useText();
  return (
    <button
      type="submit"
      class="send-button"
      aria-label={words.send}
      aria-disabled={!hasSomething}
      title={words.send}
      // On a phone, the keyboard would close together with the focus.
      onMouseDown={(event) => event.preventDefault()}
    >
      <SendIcon />
    </button>
  );
}
