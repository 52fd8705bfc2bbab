import { deChannelMessages } from '../text/de/channel-messages.ts';
import { enChannelMessages } from '../text/en/channel-messages.ts';
import { useLanguage } from '../text/use-text.ts';

const TEXTS = { en: enChannelMessages, de: deChannelMessages } as const;

/** The texts about messages of channels in the current language. They come with the views, in all languages. */
export function useChannelText(): typeof enChannelMessages {
  return TEXTS[useLanguage()];
}
