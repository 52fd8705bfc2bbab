import { MOST_POST_TAGS } from '@hearth/protocol/schemas';
import type { PostSettings } from '@hearth/protocol';
import type { PostDraft } from './post-draft.ts';
import { useWritingText } from './use-writing-text.ts';

interface ChoiceProps {
  readonly draft: PostDraft;
  readonly settings: PostSettings;
  readonly problem: string | undefined;
  readonly onChange: (part: Partial<PostDraft>) => void;
}

/** The tags of a post, and what it is marked as. */
export function ChoiceField({ draft, settings, problem, onChange }: ChoiceProps) {
  const words = useWritingText();
  const { tags, isSpoiler, isSensitive } = draft;
  const offered = settings.tags ?? [];
  return (
    <>
      {offered.length > 0 && (
        <fieldset class="write-part post-tags">
          <legend>{words.tags}</legend>
          {offered.map(({ id, name, colour }) => (
            <Chip
              key={id}
              name={name}
              colour={colour}
              isOn={tags.includes(id)}
              isDisabled={tags.length >= MOST_POST_TAGS && !tags.includes(id)}
              onChange={(isOn) =>
                onChange({ tags: isOn ? [...tags, id] : tags.filter((tag) => tag !== id) })
              }
            />
          ))}
          <p class="problem" role="alert">
            {problem}
          </p>
        </fieldset>
      )}
      <fieldset class="write-part post-tags">
        <legend>{words.marks}</legend>
        <Chip
          name={words.spoiler}
          isOn={isSpoiler}
          onChange={(isOn) => onChange({ isSpoiler: isOn })}
        />
        <Chip
          name={words.sensitive}
          isOn={isSensitive}
          onChange={(isOn) => onChange({ isSensitive: isOn })}
        />
      </fieldset>
    </>
  );
}

interface ChipProps {
  readonly name: string;
  readonly colour?: string | undefined;
  readonly isOn: boolean;
  readonly isDisabled?: boolean;
  readonly onChange: (isOn: boolean) => void;
}

function Chip({ name, colour, isOn, isDisabled = false, onChange }: ChipProps) {
  return (
    <label class="post-tag-choice">
      <input
        type="checkbox"
        checked={isOn}
        disabled={isDisabled}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      {colour !== undefined && <span class="write-dot" style={{ background: colour }} />}
      <bdi>{name}</bdi>
    </label>
  );
}
