import { useEffect, useRef, useState } from 'preact/hooks';
import { useInstance } from '../../instance/use-instance.ts';
import { copyText } from '../../ui/copy-text.ts';
import { CheckIcon, CopyIcon, DownloadIcon } from '../../ui/icons.tsx';
import { PrintIcon } from '../icons.tsx';
import { useAccountText } from '../use-account-text.ts';

interface RecoveryProps {
  readonly username: string;
  readonly codes: readonly string[];
  readonly onDone: () => void;
}

/** The recovery codes, which are shown only once, and three ways to keep them. */
export function RecoveryCodes({ username, codes, onDone }: RecoveryProps) {
  const { info } = useInstance();
  const { recovery: words } = useAccountText();
  const heading = useRef<HTMLHeadingElement>(null);
  const [isCopied, setIsCopied] = useState(false);
  const title = words.file(info.instance_name, username);
  const text = [title, '', ...codes, ''].join('\n');
  useEffect(() => heading.current?.focus(), []);
  return (
    <div class="recovery" data-prints>
      <h5 ref={heading} tabIndex={-1}>
        {words.title}
      </h5>
      <p class="print-only">{title}</p>
      <p>{words.text}</p>
      <ol class="recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div class="form-end no-print">
        <button
          type="button"
          class="button"
          onClick={() => void copyText(text).then((isDone) => setIsCopied(isDone))}
        >
          {isCopied ? <CheckIcon /> : <CopyIcon />}
          <span role="status">{isCopied ? words.copied : words.copy}</span>
        </button>
        <DownloadLink name={`${info.instance_name} ${username}.txt`} text={text} />
        <button type="button" class="button" onClick={() => print()}>
          <PrintIcon />
          {words.print}
        </button>
      </div>
      <button type="button" class="button button-primary no-print" onClick={onDone}>
        {words.done}
      </button>
    </div>
  );
}

function DownloadLink({ name, text }: { readonly name: string; readonly text: string }) {
  const { recovery: words } = useAccountText();
  const [url, setUrl] = useState<string | undefined>(undefined);
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [text]);
  // For an instant, there is no address yet.
  return (
    <a class="button" href={url ?? '#'} download={name}>
      <DownloadIcon />
      {words.download}
    </a>
  );
}
