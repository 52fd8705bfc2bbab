import DOMPurify from 'dompurify';
import highlighter from 'highlight.js/lib/common';

/** `code` with its words marked by classes, or undefined if the language is not known. */
export function highlight(code: string, language: string): DocumentFragment | undefined {
  if (highlighter.getLanguage(language) === undefined) return undefined;
  const { value } = highlighter.highlight(code, { language, ignoreIllegals: true });
  return DOMPurify.sanitize(value, {
    RETURN_DOM_FRAGMENT: true,
    ALLOWED_TAGS: ['span'],
    ALLOWED_ATTR: ['class'],
    ALLOW_ARIA_ATTR: false,
    ALLOW_DATA_ATTR: false,
  });
}
