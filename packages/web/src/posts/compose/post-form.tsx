import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { PostSettings } from '@hearth/protocol';
import { PlusIcon } from '../../ui/action-icons.tsx';
import { ChoiceField } from './choice-field.tsx';
import type { Uploads } from '../../writing/uploads.ts';
import { FilesField } from './files-field.tsx';
import { PollField } from './poll-field.tsx';
import { leftIn, NEW_POLL, type PostDraft } from './post-draft.ts';
import { TextField } from './text-field.tsx';
import type { Problems } from './use-draft.ts';
import { useWritingText } from './use-writing-text.ts';
import { WrittenField } from './written-field.tsx';
import { ownKeys } from '../../ui/own-keys.ts';

interface FormProps {
  readonly draft: PostDraft;
  readonly settings: PostSettings;
  readonly problems: Problems;
  /** Undefined if files and a poll cannot be changed any more. */
  readonly uploads: Uploads | undefined;
  readonly mayAttach: boolean;
  /** Above the title. */
  readonly above?: ComponentChildren;
  /** The buttons. */
  readonly children: ComponentChildren;
  readonly onChange: (part: Partial<PostDraft>) => void;
  readonly onSubmit: () => void;
}

/** The fields of a post. Ctrl+Enter sends it. */
export function PostForm(props: FormProps) {
  const { draft, settings, problems, uploads, mayAttach, above, children, onChange } = props;
  const words = useWritingText();
  const form = useFocusedProblem(problems);
  const accepts = mayAttach && uploads !== undefined;
  return (
    <form
      ref={form}
      class="post-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        props.onSubmit();
      }}
      {...useFormEvents(props)}
    >
      {above}
      <Lines draft={draft} problems={problems} onChange={onChange} />
      {accepts && (
        <FilesField
          files={draft.files}
          uploads={uploads}
          problem={problems.files}
          onChange={(files) => onChange({ files })}
        />
      )}
      <ChoiceField draft={draft} settings={settings} problem={problems.tags} onChange={onChange} />
      {draft.poll !== undefined && (
        <PollField
          poll={draft.poll}
          problem={problems.poll}
          onChange={(poll) => onChange({ poll })}
        />
      )}
      {uploads !== undefined && draft.poll === undefined && (
        <button
          type="button"
          class="button button-quiet write-add-poll"
          onClick={() => onChange({ poll: NEW_POLL })}
        >
          <PlusIcon />
          {words.addPoll}
        </button>
      )}
      <p class="problem" role="alert">
        {problems.all}
      </p>
      <div class="write-end">{children}</div>
    </form>
  );
}

/** Ctrl+Enter, and files that are dropped or pasted. */
function useFormEvents({ draft, uploads, mayAttach, onSubmit }: FormProps) {
  const take = (event: Event, files: FileList | undefined) => {
    if (!mayAttach || uploads === undefined || files === undefined || files.length === 0) return;
    event.preventDefault();
    uploads.upload(files, draft.files.length);
  };
  return {
    onKeyDown: ownKeys((event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      onSubmit();
    }),
    onPaste: (event: ClipboardEvent) => take(event, event.clipboardData?.files),
    onDragOver: (event: DragEvent) => {
      if (mayAttach && uploads !== undefined) event.preventDefault();
    },
    onDrop: (event: DragEvent) => take(event, event.dataTransfer?.files),
  };
}

type LinesProps = Pick<FormProps, 'draft' | 'problems' | 'onChange'>;

function Lines({ draft, problems, onChange }: LinesProps) {
  const words = useWritingText();
  const { title, content, url } = draft;
  return (
    <>
      <WrittenField
        name="title"
        label={words.title}
        left={leftIn('title', title)}
        problem={problems.title}
      >
        {(wiring) => (
          <input
            {...wiring}
            class="text-field write-title"
            required
            autofocus
            dir="auto"
            value={title}
            onInput={({ currentTarget }) => onChange({ title: currentTarget.value })}
          />
        )}
      </WrittenField>
      <TextField
        content={content}
        problem={problems.content}
        onChange={(text) => onChange({ content: text })}
      />
      <WrittenField
        name="url"
        label={words.address}
        hint={words.addressHint}
        left={leftIn('url', url)}
        problem={problems.url}
      >
        {(wiring) => (
          <input
            {...wiring}
            class="text-field"
            inputMode="url"
            autocapitalize="none"
            spellcheck={false}
            value={url}
            onInput={({ currentTarget }) => onChange({ url: currentTarget.value })}
          />
        )}
      </WrittenField>
    </>
  );
}

/** Brings the reader to the first part that something is wrong with. */
function useFocusedProblem(problems: Problems) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (Object.keys(problems).length === 0) return;
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [problems]);
  return form;
}
