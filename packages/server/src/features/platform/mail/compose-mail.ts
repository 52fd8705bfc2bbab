import type { Mail } from '../../../ports/mail/mailer.ts';
import type { MailLanguage, MailTexts, MailWords } from './mail-texts.ts';

export interface MailParts {
  readonly to: string;
  readonly hello: string;
  readonly words: MailWords;
  readonly texts: Pick<MailTexts, 'language' | 'openPage' | 'orEnterCode'>;
  readonly entry?: CodeEntry;
}

/** The means by which the reader enters a code. */
export interface CodeEntry {
  readonly code: string;
  /** Says where, if there is no link. */
  readonly enterCode: string;
  /** The page at which the code is entered, with the code. */
  readonly link: string | undefined;
}

/** A mail as text and as HTML. */
export function composeMail({ to, hello, words, texts, entry }: MailParts): Mail {
  const middle = entry === undefined ? [] : waysToEnter(entry, texts);
  const text = [
    hello,
    ...words.before,
    ...middle.map(({ line, value }) => `${line}\n\n    ${value}`),
    ...words.after,
  ].join('\n\n');
  const html = [
    ...[hello, ...words.before].map(paragraph),
    ...middle.map(
      ({ line, value, isLink }) => `${paragraph(line)}${isLink ? anchor(value) : boxed(value)}`,
    ),
    ...words.after.map(paragraph),
  ].join('\n');
  return { to, subject: words.subject, text: `${text}\n`, html: `${page(html, texts.language)}\n` };
}

function waysToEnter({ code, enterCode, link }: CodeEntry, texts: MailParts['texts']) {
  if (link === undefined) return [{ line: enterCode, value: code, isLink: false }];
  return [
    { line: texts.openPage, value: link, isLink: true },
    { line: texts.orEnterCode, value: code, isLink: false },
  ];
}

function page(body: string, language: MailLanguage): string {
  const style =
    'font: 16px/1.5 system-ui, sans-serif; max-width: 36em; margin: 0 auto; padding: 1em';
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8"></head><body style="${style}">\n${body}\n</body></html>`;
}

function paragraph(text: string): string {
  return `<p>${escaped(text)}</p>`;
}

function anchor(url: string): string {
  return `\n<p><a href="${escaped(url)}">${escaped(url)}</a></p>`;
}

function boxed(code: string): string {
  return `\n<p style="font: bold 20px monospace">${escaped(code)}</p>`;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
