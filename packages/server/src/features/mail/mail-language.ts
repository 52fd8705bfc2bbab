/** The languages of mail. */
export type MailLanguage = 'en' | 'de';

/** The language that a person has chosen in their settings, else English. */
export function mailLanguageOf(settings: string): MailLanguage {
  const chosen: unknown = (JSON.parse(settings) as { readonly language?: unknown }).language;
  return chosen === 'de' ? 'de' : 'en';
}
