import { describe, expect, test } from 'bun:test';
import { safeLink } from './safe-link.ts';

describe('a link', () => {
  test.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'vbscript:x',
    'data:text/html,<script>alert(1)</script>',
    'blob:https://example.org/1',
    'file:///etc/passwd',
    'about:blank',
    '/relative',
    '//example.org',
    'example',
    '',
  ])('a link does not lead to %j', (href) => {
    expect(safeLink(href, 'text')).toBeUndefined();
  });

  test.each([
    ['https://example.org/a?b#c', 'https://example.org/a?b#c'],
    ['HTTP://EXAMPLE.org', 'http://example.org/'],
    ['mailto:ada@example.org', 'mailto:ada@example.org'],
  ])('a link may lead to %j', (href, shown) => {
    expect(safeLink(href, 'text')).toEqual({ href: shown, warnHost: undefined });
  });

  test.each([
    ['https://evil.example/login', 'https://bank.example', 'evil.example'],
    ['https://evil.example/', 'www.bank.example/account', 'evil.example'],
    ['https://evil.example/', 'bank.example', 'evil.example'],
    ['https://bank.example@evil.example/', 'a bank', 'evil.example'],
    ['https://xn--bnk-6ka.example/', 'a bank', 'xn--bnk-6ka.example'],
    ['https://bänk.example/', 'https://bänk.example/', 'xn--bnk-qla.example'],
  ])('to %s under the text %j shows its host', (href, text, host) => {
    expect(safeLink(href, text)?.warnHost).toBe(host);
  });

  test.each([
    ['https://bank.example/login', 'https://bank.example'],
    ['https://www.bank.example/', 'bank.example'],
    ['https://bank.example/', 'see the e.g. of v1.2'],
  ])('to %s under the text %j needs no warning', (href, text) => {
    expect(safeLink(href, text)?.warnHost).toBeUndefined();
  });
});
