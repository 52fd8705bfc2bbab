import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { loadPart } from '../../lib/load-part.ts';

/** Longer code is shown without colours. */
const MOST_HIGHLIGHTED = 20_000;

/**
 * Colours the code in an element once the highlighter is loaded, if it knows the language. The element needs a key that
 * changes with the code and the language.
 */
export function useHighlight(code: string, language: string): RefObject<HTMLElement | null> {
  const element = useRef<HTMLElement>(null);
  useEffect(() => {
    if (language === '' || code.length > MOST_HIGHLIGHTED) return undefined;
    let isGone = false;
    void loadPart('conversation/markdown/highlight.ts', () => import('./highlight.ts'), {
      isOptional: true,
    }).then(
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
  return element;
}
