export type MailLanguage = 'en' | 'de';

/** The language that a person has in their settings, whatever the region, if mail is written in it, else English. */
export function mailLanguageOf(settings: string): MailLanguage {
  const chosen: unknown = (JSON.parse(settings) as { readonly language?: unknown }).language;
  return typeof chosen === 'string' && /^de(?:-|$)/i.test(chosen) ? 'de' : 'en';
}
