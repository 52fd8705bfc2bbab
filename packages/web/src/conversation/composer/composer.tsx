import type { TargetedSubmitEvent } from 'preact';
import { useId, useState } from 'preact/hooks';
import { SendIcon } from '../../ui/icons.tsx';
import { useText } from '../../text/use-text.ts';
import { useConversation } from '../use-conversation.ts';
import { AttachButton } from './attach-button.tsx';
import { DropZone } from './drop-zone.tsx';
import { LimitLine } from './limit-line.tsx';
import { MessageBox } from './message-box.tsx';
import { UploadingList } from '../uploads/uploading-list.tsx';
import { PickedFiles } from '../uploads/picked-files.tsx';
import { ReplyStrip } from './reply-strip.tsx';
import { submit, type SubmitProblem } from './submit.ts';
import { usePastedFiles } from './use-pasted-files.ts';

/** Where messages are written and sent. */
export function Composer() {
  const conversation = useConversation();
  const { draft, reply, uploads } = conversation;
  const { composer: words } = useText();
  const limitsId = useId();
  const [problem, setProblem] = useState<SubmitProblem | undefined>(undefined);
  const hasSomething = draft.text.value.trim() !== '' || uploads.picked.value.length > 0;
  usePastedFiles(uploads);
  const send = () => {
    const result = submit(conversation);
    setProblem(result === 'too_long' || result === 'too_many' ? result : undefined);
  };
  const endReply = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented || reply.peek() === undefined) return;
    event.preventDefault();
    reply.value = undefined;
    draft.resume();
  };
  const onSubmit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    send();
  };
  return (
    <form class="composer" onSubmit={onSubmit} onKeyDown={endReply}>
      <DropZone />
      <UploadingList />
      <PickedFiles />
      <ReplyStrip />
      <div class="composer-row">
        <AttachButton />
        <MessageBox limitsId={limitsId} onChange={() => setProblem(undefined)} onSend={send} />
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
      </div>
      <LimitLine id={limitsId} problem={problem} />
    </form>
  );
}
