import type { TargetedKeyboardEvent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { MOST_COMMENT_CHARACTERS } from '@hearth/protocol';
import { countCodePoints } from '@hearth/sdk';
import { useFailureText } from '../../communities/describe-failure.ts';
import { useFormats } from '../../text/use-text.ts';
import { useWriting } from '../compose/use-writing.ts';
import { usePostText } from '../use-post-text.ts';
import { ownKeys } from '../../ui/own-keys.ts';

interface EditorProps {
  readonly label: string;
  readonly placeholder?: string;
  readonly initial?: string;
  readonly action: string;
  /** True if it opens with the focus, and can be closed. */
  readonly isOpen?: boolean;
  /** Under which name what is written stays if the editor is closed and opened again, or the page is. */
  readonly draftKey?: string;
  /** Throws. */
  readonly onSend: (content: string) => Promise<void>;
  readonly onCancel?: () => void;
}

/** Returns what is being written, and how to send it. */
function useComment({ initial = '', draftKey, onSend }: EditorProps) {
  const describe = useFailureText();
  const kept = useWriting().comments;
  const [content, setContent] = useState(
    draftKey === undefined ? initial : (kept.read(draftKey) ?? initial),
  );
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const tooMany = countCodePoints(content) - MOST_COMMENT_CHARACTERS;
  const isSendable = content.trim() !== '' && tooMany <= 0 && !isBusy;
  const write = (text: string) => {
    setContent(text);
    if (draftKey !== undefined) kept.keep(draftKey, text);
  };
  const send = async () => {
    if (!isSendable) return;
    setIsBusy(true);
    setProblem('');
    try {
      await onSend(content);
      write('');
    } catch (error) {
      setProblem(describe(error));
    }
    setIsBusy(false);
  };
  return { content, write, send, problem, tooMany, isSendable };
}

/** The editor of a comment. Ctrl+Enter sends it, and Escape closes an editor that can be closed. */
export function CommentEditor(props: EditorProps) {
  const { label, placeholder = label, isOpen = false, onCancel } = props;
  const box = useRef<HTMLTextAreaElement>(null);
  const writing = useComment(props);
  const { content, write, send, problem } = writing;
  const [hasFocus, setHasFocus] = useState(isOpen);
  useEffect(() => {
    if (isOpen) box.current?.focus();
  }, [isOpen]);
  const isLarge = hasFocus || content !== '';
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLElement>) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      void send();
    } else if (event.key === 'Escape' && onCancel !== undefined) {
      event.preventDefault();
      onCancel();
    }
  };
  return (
    <form
      class="comment-editor"
      data-open={isLarge || undefined}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <textarea
        ref={box}
        class="text-field"
        aria-label={label}
        placeholder={placeholder}
        rows={isLarge ? 4 : 1}
        value={content}
        dir="auto"
        onFocus={() => setHasFocus(true)}
        onInput={({ currentTarget }) => write(currentTarget.value)}
        onKeyDown={ownKeys(onKeyDown)}
      />
      {problem !== '' && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {isLarge && <EditorEnd {...props} {...writing} />}
    </form>
  );
}

type EndProps = EditorProps & Pick<ReturnType<typeof useComment>, 'tooMany' | 'isSendable'>;

function EditorEnd({ action, onCancel, tooMany, isSendable }: EndProps) {
  const words = usePostText();
  const formats = useFormats();
  return (
    <div class="comment-editor-end">
      <span class="hint">
        {tooMany > 0 ? words.tooLong(formats.count(tooMany)) : words.textHint}
      </span>
      {onCancel !== undefined && (
        <button type="button" class="button" onClick={onCancel}>
          {words.cancel}
        </button>
      )}
      <button type="submit" class="button button-primary" disabled={!isSendable}>
        {action}
      </button>
    </div>
  );
}
