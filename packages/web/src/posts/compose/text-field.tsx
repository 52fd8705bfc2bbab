import { useState } from 'preact/hooks';
import { PostText } from '../post-text.tsx';
import { leftIn } from './post-draft.ts';
import { useWritingText } from './use-writing-text.ts';
import { WrittenField } from './written-field.tsx';

interface TextProps {
  readonly content: string;
  readonly problem: string | undefined;
  readonly onChange: (content: string) => void;
}

/** The text of a post, as it is written or as it will be shown. */
export function TextField({ content, problem, onChange }: TextProps) {
  const words = useWritingText();
  const [isPreview, setIsPreview] = useState(false);
  return (
    <WrittenField
      name="content"
      label={words.text}
      hint={words.textHint}
      left={leftIn('content', content)}
      problem={problem}
      beside={
        <div class="write-modes" role="group" aria-label={words.modes}>
          {[false, true].map((mode) => (
            <button
              key={String(mode)}
              type="button"
              class="write-mode"
              aria-pressed={isPreview === mode}
              onClick={() => setIsPreview(mode)}
            >
              {mode ? words.preview : words.write}
            </button>
          ))}
        </div>
      }
    >
      {(wiring) => (
        <>
          <textarea
            {...wiring}
            class="text-field write-text"
            rows={7}
            dir="auto"
            hidden={isPreview}
            value={content}
            onInput={({ currentTarget }) => onChange(currentTarget.value)}
          />
          {isPreview && (
            <div class="write-preview" role="region" aria-label={words.preview} tabIndex={0}>
              {content.trim() === '' ? (
                <p class="hint">{words.nothingToPreview}</p>
              ) : (
                <PostText written={{ content }} />
              )}
            </div>
          )}
        </>
      )}
    </WrittenField>
  );
}
