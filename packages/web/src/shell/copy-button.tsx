import { useEffect, useState } from 'preact/hooks';
import { useText } from '../text/use-text.ts';
import { copyText } from './copy-text.ts';
import { CheckIcon, CopyIcon } from './icons.tsx';

const SHOWN_MS = 2000;

/** Copies `value`, and says so for a moment. */
export function CopyButton({ value, label }: { readonly value: string; readonly label: string }) {
  const { copied } = useText().shell.instance;
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setIsCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async () => setIsCopied(await copyText(value));
  return (
    <>
      <button type="button" class="icon-button" aria-label={label} onClick={() => void copy()}>
        {isCopied ? <CheckIcon /> : <CopyIcon />}
      </button>
      <span class="visually-hidden" role="status">
        {isCopied && copied}
      </span>
    </>
  );
}
