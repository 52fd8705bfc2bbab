import { deAccount } from '../text/de/account.ts';
import { enAccount } from '../text/en/account.ts';
import { useLanguage } from '../text/use-text.ts';

/** The texts about accounts. */
export type AccountText = typeof enAccount;

const TEXTS = { en: enAccount, de: deAccount } as const;

/** The texts about accounts in the current language. They come with the views, in all languages. */
export function useAccountText(): AccountText {
  return TEXTS[useLanguage()];
}
