import { expect, test } from 'bun:test';
import { composeMail } from './compose-mail.ts';
import { MAIL_TEXTS, type MailTexts } from './mail-texts.ts';

const FACTS = { username: 'ada', instanceName: 'Home <1>', email: 'new@example.org' };
const CODE = 's3rt-j5jn';

function mailsIn(texts: MailTexts) {
  return [
    texts.verify({ ...FACTS, isApproved: false }),
    texts.verify({ ...FACTS, isApproved: true }),
    texts.reset(FACTS),
    texts.emailChanging(FACTS),
    texts.emailChanged(FACTS),
    texts.passwordChanged(FACTS),
    texts.passwordReset(FACTS),
    texts.signIn({ ...FACTS, network: '192.0.2.0/24', time: '23 November' }),
    texts.factorAdded(FACTS),
    texts.factorRemoved(FACTS),
  ];
}

test.each(Object.values(MAIL_TEXTS))(
  '[ML5] every mail names the account and the instance, as text and as HTML: %#',
  (texts) => {
    for (const words of mailsIn(texts)) {
      const mail = composeMail({ to: FACTS.email, hello: texts.hello(FACTS), words, texts });
      expect(mail.subject).toStartWith('Home <1>: ');
      expect(mail.text).toMatch(/ ada (on|auf) Home <1>/);
      expect(mail.html).toMatch(/ ada (on|auf) Home &lt;1&gt;/);
      expect(mail.html).toStartWith(`<!doctype html><html lang="${texts.language}">`);
      // A German sentence goes on after the greeting, an English one begins.
      expect(mail.text).toMatch(
        texts.language === 'en' ? /^Hello ada,\n\n[A-Z]/ : /^Hallo ada,\n\n[a-z]/,
      );
    }
  },
);

test.each([
  ['en', 'verify', 'Enter this code in the settings of your account on Home <1>:'],
  ['en', 'reset', 'Enter this code where you asked for the new password:'],
  ['de', 'verify', 'Gib diesen Code in den Einstellungen deines Kontos auf Home <1> ein:'],
  ['de', 'reset', 'Gib diesen Code dort ein, wo du das neue Passwort angefordert hast:'],
] as const)(
  '[ML5] a mail without a link says where the code is entered: %s, %s',
  (language, purpose, line) => {
    const texts = MAIL_TEXTS[language];
    const words = texts[purpose]({ ...FACTS, isApproved: false });
    const textOf = (link: string | undefined) => {
      const entry = { code: CODE, enterCode: words.enterCode, link };
      return composeMail({ to: FACTS.email, hello: texts.hello(FACTS), words, texts, entry }).text;
    };
    expect(textOf(undefined)).toContain(`\n\n${line}\n\n    ${CODE}\n\n`);
    const link = `https://chat.example.org/#${CODE}`;
    expect(textOf(link)).toContain(`\n\n    ${link}\n\n${texts.orEnterCode}\n\n    ${CODE}\n\n`);
  },
);
