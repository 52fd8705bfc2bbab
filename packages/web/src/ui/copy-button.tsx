import { useEffect, useState } from 'preact/hooks';
import { useText } from '../text/use-text.ts';
import { copyText } from './copy-text.ts';
import { CheckIcon, CopyIcon } from './icons.tsx';

const SHOWN_MS = 2_000;

interface CopyButtonProps {
  readonly label: string;
  readonly text: string;
  /** The class by which it looks as its place demands. */
  readonly class: string;
  /** -1 if Tab should skip it, because there is another way to it by keyboard. */
  readonly tabIndex?: -1;
}

/** Copies `text`; its name says for a moment whether that worked. */
export function CopyButton({ label, text, class: look, tabIndex }: CopyButtonProps) {
  const { copied, notCopied } = useText().shell.copy;
  const [isCopied, setIsCopied] = useState<boolean | undefined>(undefined);
  useEffect(() => {
    if (isCopied === undefined) return undefined;
    const timer = setTimeout(() => setIsCopied(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const outcome = isCopied === true ? copied : notCopied;
  const name = isCopied === undefined ? label : outcome;
  return (
    <>
      <button
        type="button"
        class={look}
        tabIndex={tabIndex}
        aria-label={name}
        title={name}
        onClick={() => void copyText(text).then(setIsCopied)}
      >
        {isCopied === true ? <CheckIcon /> : <CopyIcon />}
      </button>
      <span class="visually-hidden" role="status">
        {isCopied !== undefined && outcome}
      </span>
    </>
  );
}
