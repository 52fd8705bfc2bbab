import { dePostWriting } from '../../text/de/post-writing.ts';
import { enPostWriting } from '../../text/en/post-writing.ts';
import { useLanguage } from '../../text/use-text.ts';

/** The texts about writing posts. */
export type WritingText = typeof enPostWriting;

const TEXTS = { en: enPostWriting, de: dePostWriting } as const;

/** The texts about writing posts in the current language. */
export function useWritingText(): WritingText {
  return TEXTS[useLanguage()];
}
