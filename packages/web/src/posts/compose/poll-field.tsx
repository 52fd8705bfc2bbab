import { MOST_OPTION_CHARACTERS, POLL_OPTIONS } from '@hearth/protocol/schemas';
import { useFormats } from '../../text/use-text.ts';
import { PlusIcon } from '../../ui/action-icons.tsx';
import { CloseIcon } from '../../ui/icons.tsx';
import type { DraftPoll } from './post-draft.ts';
import { useWritingText } from './use-writing-text.ts';

interface PollProps {
  readonly poll: DraftPoll;
  readonly problem: string | undefined;
  /** Undefined to have none. */
  readonly onChange: (poll: DraftPoll | undefined) => void;
}

/** The options of a poll, and how long it lasts. */
export function PollField({ poll, problem, onChange }: PollProps) {
  const words = useWritingText();
  const { options } = poll;
  return (
    <fieldset class="write-part">
      <legend>{words.poll}</legend>
      <Options poll={poll} problem={problem} onChange={onChange} />
      <p class="problem" role="alert">
        {problem}
      </p>
      <div class="write-row">
        {options.length < POLL_OPTIONS.max && (
          <button
            type="button"
            class="button button-quiet"
            onClick={() => onChange({ ...poll, options: [...options, ''] })}
          >
            <PlusIcon />
            {words.addOption}
          </button>
        )}
        <button type="button" class="button button-quiet" onClick={() => onChange(undefined)}>
          {words.removePoll}
        </button>
      </div>
      <Ending poll={poll} onChange={onChange} />
    </fieldset>
  );
}

function Ending({ poll, onChange }: Omit<PollProps, 'problem'>) {
  const words = useWritingText();
  const { isMultiple, hours } = poll;
  return (
    <div class="write-row">
      <label class="write-check">
        <input
          type="checkbox"
          checked={isMultiple}
          onChange={({ currentTarget }) => onChange({ ...poll, isMultiple: currentTarget.checked })}
        />
        {words.several}
      </label>
      <label class="write-check">
        {words.ends}
        <select
          class="post-select"
          value={String(hours)}
          onChange={({ currentTarget }) =>
            onChange({ ...poll, hours: Number(currentTarget.value) })
          }
        >
          {Object.entries(words.endsAfter).map(([each, name]) => (
            <option key={each} value={each}>
              {name}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}

function Options({ poll, problem, onChange }: PollProps) {
  const words = useWritingText();
  const formats = useFormats();
  const { options } = poll;
  const set = (at: number, text: string) => onChange({ ...poll, options: options.with(at, text) });
  return (
    <ol class="write-options">
      {options.map((option, at) => (
        <li key={at}>
          <input
            class="text-field"
            aria-label={words.option(formats.count(at + 1))}
            placeholder={words.option(formats.count(at + 1))}
            aria-invalid={problem !== undefined}
            maxLength={MOST_OPTION_CHARACTERS}
            dir="auto"
            value={option}
            onInput={({ currentTarget }) => set(at, currentTarget.value)}
          />
          {options.length > POLL_OPTIONS.min && (
            <button
              type="button"
              class="icon-button"
              aria-label={words.removeOption(formats.count(at + 1))}
              onClick={() => onChange({ ...poll, options: options.toSpliced(at, 1) })}
            >
              <CloseIcon />
            </button>
          )}
        </li>
      ))}
    </ol>
  );
}
