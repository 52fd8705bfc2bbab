import { useEffect, useRef } from 'preact/hooks';
import { CopyButton } from '../../ui/copy-button.tsx';
import { useText } from '../../text/use-text.ts';
import { useScrollFocus } from '../../ui/use-scroll-focus.ts';

/** Longer code is shown without colours. */
const MOST_HIGHLIGHTED = 20_000;

/** Code in a block, coloured once the highlighter is loaded if it knows the language. */
export function CodeBlock({
  code,
  language,
}: {
  readonly code: string;
  readonly language: string;
}) {
  const { conversation: words } = useText();
  const element = useRef<HTMLElement>(null);
  const scroller = useScrollFocus();
  useEffect(() => {
    if (language === '' || code.length > MOST_HIGHLIGHTED) return undefined;
    let isGone = false;
    void import('./highlight.ts').then(
      ({ highlight }) => {
        const fragment = isGone ? undefined : highlight(code, language);
        if (fragment !== undefined) element.current?.replaceChildren(fragment);
      },
      // Without the highlighter, the code is shown anyway.
      () => {},
    );
    return () => {
      isGone = true;
    };
  }, [code, language]);
  const label = words.code(language);
  return (
    <div class="code-block">
      {language === '' ? null : <span class="code-language">{language}</span>}
      <CopyButton label={words.copyCode} text={code} class="row-action code-copy" />
      <pre ref={scroller} dir="ltr" role="group" aria-label={label}>
        <code key={`${language} ${code}`} ref={element}>
          {code}
        </code>
      </pre>
    </div>
  );
}
