import { MOST_TAG_CHARACTERS, MOST_TAGS } from '@hearth/protocol/schemas';
import { newNonce } from '@hearth/sdk';
import { PlusIcon } from '../../ui/action-icons.tsx';
import { CloseIcon } from '../../ui/icons.tsx';
import { SortableList } from '../../ui/sortable-list.tsx';
import type { DraftTag } from './post-settings-draft.ts';
import { useSettingsText } from './use-settings-text.ts';
import { typedText } from '../../lib/typed-text.ts';

const FIRST = '#b3401a';

interface TagsProps {
  readonly tags: readonly DraftTag[];
  readonly problem: string | undefined;
  readonly onChange: (tags: readonly DraftTag[]) => void;
}

/** The tags of a channel: their names, colours and order. */
export function TagsEditor({ tags, problem, onChange }: TagsProps) {
  const { posts: words } = useSettingsText();
  const change = (key: string, part: Partial<DraftTag>) =>
    onChange(tags.map((tag) => (tag.key === key ? { ...tag, ...part } : tag)));
  return (
    <fieldset class="write-part">
      <legend>{words.tags}</legend>
      <p class="hint">{words.tagsText}</p>
      {tags.length > 0 && (
        <SortableList
          label={words.tags}
          items={tags}
          words={words}
          move={moved}
          onOrder={(ordered) => onChange(ordered)}
        >
          {(tag) => (
            <TagRow
              tag={tag}
              hasProblem={problem !== undefined}
              onChange={(part) => change(tag.key, part)}
              onRemove={() => onChange(tags.filter(({ key }) => key !== tag.key))}
            />
          )}
        </SortableList>
      )}
      <p class="problem" role="alert">
        {problem}
      </p>
      {tags.length < MOST_TAGS && (
        <button
          type="button"
          class="button button-quiet"
          onClick={() => onChange([...tags, { key: newNonce(), name: '', colour: FIRST }])}
        >
          <PlusIcon />
          {words.addTag}
        </button>
      )}
    </fieldset>
  );
}

function moved(items: readonly DraftTag[], from: number, to: number): readonly DraftTag[] {
  const tag = items[from];
  if (tag === undefined || from === to) return items;
  return items.toSpliced(from, 1).toSpliced(to, 0, tag);
}

interface RowProps {
  readonly tag: DraftTag;
  readonly hasProblem: boolean;
  readonly onChange: (part: Partial<DraftTag>) => void;
  readonly onRemove: () => void;
}

function TagRow({ tag: { name, colour }, hasProblem, onChange, onRemove }: RowProps) {
  const { posts: words } = useSettingsText();
  return (
    <div class="tag-row">
      <input
        class="colour-box"
        type="color"
        aria-label={words.tagColour(name)}
        value={colour ?? FIRST}
        onInput={({ currentTarget }) => onChange({ colour: currentTarget.value })}
      />
      <input
        class="text-field"
        aria-label={words.tagName(name)}
        aria-invalid={hasProblem && typedText(name) === ''}
        maxLength={MOST_TAG_CHARACTERS}
        dir="auto"
        value={name}
        onInput={({ currentTarget }) => onChange({ name: currentTarget.value })}
      />
      <button
        type="button"
        class="icon-button"
        aria-label={words.removeTag(name)}
        onClick={onRemove}
      >
        <CloseIcon />
      </button>
    </div>
  );
}
