import { NotFoundError } from '@hearth/sdk';
import type { TargetedSubmitEvent } from 'preact';
import { useState } from 'preact/hooks';
import { Submit } from '../../account/field.tsx';
import { useAccountText } from '../../account/use-account-text.ts';
import { useFormats, useText } from '../../text/use-text.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { nameOfWriter } from '../author.ts';
import { describeError } from '../describe-error.ts';
import type { MessageEntry } from '../messages/entry.ts';
import { excerptOf } from '../reply-target.ts';
import { useConversation } from '../use-conversation.ts';
import type { Acting } from './own-changes.ts';

interface DeleteProps {
  readonly acting: Extract<Acting, { readonly kind: 'delete' }>;
  readonly message: MessageEntry | undefined;
}

/** Asks before a message is deleted. Loaded on use. */
export function DeleteDialog({ acting, message }: DeleteProps) {
  const { source, changes, draft } = useConversation();
  const { remove: words, settings } = useAccountText();
  const text = useText();
  const formats = useFormats();
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const close = () => {
    changes.acting.value = undefined;
    draft.resume();
  };
  const remove = async () => {
    setIsBusy(true);
    setProblem(undefined);
    try {
      await source.deleteMessage(acting.id);
      close();
    } catch (error) {
      setIsBusy(false);
      if (error instanceof NotFoundError) close();
      else setProblem(describeError(error, text, formats));
    }
  };
  const onSubmit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!isBusy) void remove();
  };
  return (
    <Dialog title={words.title} onClose={close}>
      <form class="account-form" method="post" onSubmit={onSubmit}>
        <p>{words.text}</p>
        {message !== undefined && (
          <blockquote class="deleted-excerpt">
            <strong>{nameOfWriter(message)}</strong>
            <p dir="auto">{excerptOf(message)}</p>
          </blockquote>
        )}
        <p class="problem" role="alert">
          {problem}
        </p>
        <div class="form-end">
          <Submit label={words.confirm} isBusy={isBusy} look="danger" />
          <button type="button" class="button" onClick={close}>
            {settings.cancel}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
