import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { useFormats } from '../../text/use-text.ts';
import { useWritingText } from './use-writing-text.ts';

/** From here on, the number of characters left is shown. */
const FEW: Readonly<Record<string, number>> = { title: 60, content: 2_000, url: 100 };

interface FrameProps {
  readonly name: 'title' | 'content' | 'url' | 'channel';
  readonly label: string;
  readonly hint?: string | undefined;
  /** The number of characters that are left. */
  readonly left?: number;
  readonly problem: string | undefined;
  /** Beside the label. */
  readonly beside?: ComponentChildren;
  readonly children: (wiring: {
    readonly id: string;
    readonly name: string;
    readonly 'aria-invalid': boolean;
    readonly 'aria-describedby': string;
  }) => ComponentChildren;
}

/** A part of a post with its label, its limit once it is near, and what is wrong with it. */
export function WrittenField({
  name,
  label,
  hint,
  left = 0,
  problem,
  beside,
  children,
}: FrameProps) {
  const words = useWritingText();
  const formats = useFormats();
  const id = useId();
  const few = FEW[name];
  const isNear = few !== undefined && left < few;
  return (
    <div class="field">
      <div class="write-label">
        <label for={id}>{label}</label>
        {beside}
      </div>
      {children({
        id,
        name,
        'aria-invalid': problem !== undefined,
        'aria-describedby': `${id}-problem ${id}-left${hint === undefined ? '' : ` ${id}-hint`}`,
      })}
      <div class="write-below">
        <p id={`${id}-problem`} class="problem" role="alert">
          {problem}
        </p>
        {hint !== undefined && (
          <p id={`${id}-hint`} class="hint">
            {hint}
          </p>
        )}
        <p id={`${id}-left`} class="hint write-left" data-over={left < 0 || undefined}>
          {isNear &&
            (left < 0
              ? words.over(-left, formats.count(-left))
              : words.left(left, formats.count(left)))}
        </p>
      </div>
    </div>
  );
}
