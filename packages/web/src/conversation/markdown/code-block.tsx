import { CopyButton } from '../../ui/copy-button.tsx';
import { useText } from '../../text/use-text.ts';
import { useScrollFocus } from '../../ui/use-scroll-focus.ts';
import { useHighlight } from './use-highlight.ts';

/** Code in a block, coloured once the highlighter is loaded if it knows the language. */
export function CodeBlock({
  code,
  language,
}: {
  readonly code: string;
  readonly language: string;
}) {
  const { conversation: words } = useText();
  const element = useHighlight(code, language);
  const scroller = useScrollFocus();
  const label = words.code(language);
  return (
    <div class="code-block" dir="ltr">
      {language === '' ? null : <span class="code-language">{language}</span>}
      <CopyButton label={words.copyCode} text={code} class="row-action code-copy" />
      <pre ref={scroller} role="group" aria-label={label}>
        <code key={`${language} ${code}`} ref={element}>
          {code}
        </code>
      </pre>
    </div>
  );
}
