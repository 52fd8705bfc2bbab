import { useEffect, useState } from 'preact/hooks';
import { copyText } from '../shell/copy-text.ts';
import { CheckIcon, CopyIcon } from '../shell/icons.tsx';
import { useText } from '../text/use-text.ts';

const SHOWN_MS = 2_000;

interface CopyButtonProps {
  readonly label: string;
  readonly text: string;
  readonly class?: string;
}

/** Copies `text`; its name says for a moment whether that worked. */
export function CopyButton({ label, text, class: extra = '' }: CopyButtonProps) {
  const { lobby } = useText();
  const [isCopied, setIsCopied] = useState<boolean | undefined>(undefined);
  useEffect(() => {
    if (isCopied === undefined) return undefined;
    const timer = setTimeout(() => setIsCopied(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const outcome = isCopied === true ? lobby.copied : lobby.notCopied;
  const name = isCopied === undefined ? label : outcome;
  return (
    <button
      type="button"
      class={`row-action ${extra}`}
      aria-label={name}
      title={name}
      onClick={() => void copyText(text).then(setIsCopied)}
    >
      {isCopied === true ? <CheckIcon /> : <CopyIcon />}
    </button>
  );
}
