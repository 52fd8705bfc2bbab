import { parse } from 'acorn';
import { expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtWebFolder } from '@hearth/testing/instances/built-web-folder';
import { tempFolder } from '@hearth/testing/temp-folder';
import { ALLOWED } from './browsers/allowed.ts';
import { lackingInScripts } from './browsers/bundle.ts';
import { OLDEST } from './browsers/oldest.ts';
import { lackingInSources } from './browsers/sources.ts';
import { lackingInStyles } from './browsers/styles.ts';
import { allowedName, lackingIn, refusedOf } from './check-browsers.ts';

const ROOT = join(import.meta.dirname, '..');

const inScript = (text: string) =>
  lackingInScripts(new Map([['a.js', text]])).map(({ feature }) => feature);
const inStyle = (text: string) => lackingInStyles('a.css', text).map(({ feature }) => feature);

test('[WC302] the web client uses nothing that an oldest supported browser lacks, except what is allowed', async () => {
  const lacking = await lackingIn(await builtWebFolder());
  expect(refusedOf(lacking)).toEqual([]);
  const used = new Set(lacking.map(({ feature }) => allowedName(feature)));
  expect(Object.keys(ALLOWED).filter((feature) => !used.has(feature))).toEqual([]);
});

test.each([
  ['{ using a = b; }', 'syntax'],
  ['/(?i:a)b/', 'syntax'],
  ['/(?<a>b)|(?<a>c)/', 'syntax'],
  ["import a from './a.json' with { type: 'json' }", 'syntax'],
  ['URL.parse(a)', 'URL.parse'],
  ['Promise.try(a)', 'Promise.try'],
  ['RegExp.escape(a)', 'RegExp.escape'],
  ['Uint8Array.fromBase64(a)', 'Uint8Array.fromBase64'],
  ['Math.sumPrecise(a)', 'Math.sumPrecise'],
  ['new DisposableStack()', 'DisposableStack'],
  ['class A extends DisposableStack {}', 'DisposableStack'],
  ['new Float16Array(1)', 'Float16Array'],
  ['Symbol.dispose', 'Symbol.dispose'],
  ['a.moveBefore(b, c)', '*.moveBefore'],
  ['await a.bytes()', '*.bytes'],
])('[WC302] the check of scripts refuses %s', (text, feature) => {
  expect(inScript(text)).toEqual([feature]);
});

test('[WC302] the check of scripts accepts what all of the oldest supported browsers know', () => {
  const text = `
    /[\\p{L}--[a-z]]/v; Promise.withResolvers(); a.toSorted(); new Set().union(b); URL.canParse(a);
    Array.fromAsync(a); Object.groupBy(a, b); class A { static { } #a = 1; bytes() {} } a.bytes();`;
  expect(inScript(text)).toEqual([]);
});

test('[WC302] the check of styles refuses rules, properties, values and selectors that a browser lacks', () => {
  const text = `
    @starting-style { a { opacity: 0 } }
    a { color: light-dark(#000, #fff); interpolate-size: allow-keywords; text-wrap: pretty; user-select: none }
    p::details-content { color: red }`;
  expect(inStyle(text)).toEqual([
    '@starting-style',
    'color: light-dark',
    'interpolate-size',
    'text-wrap: pretty',
    'user-select',
    '::details-content',
  ]);
});

test('[WC302] the check of styles accepts what all know, what is also there with a prefix, and anything inside @supports', () => {
  const text = `
    a { &:has(b) { color: oklch(50% 0.1 20) } -webkit-user-select: none; user-select: none; height: 100dvh }
    @supports (interpolate-size: allow-keywords) { a { interpolate-size: allow-keywords } }`;
  expect(inStyle(text)).toEqual([]);
});

test('[WC302] the check of sources refuses members by the types of their objects, globals and attributes', async () => {
  await using folder = await tempFolder();
  const config = join(folder.path, 'tsconfig.json');
  const options = { lib: ['ESNext', 'DOM', 'DOM.Iterable'], types: [], jsx: 'preserve' };
  const settings = { compilerOptions: { target: 'ESNext', ...options }, files: ['a.tsx'] };
  writeFileSync(config, JSON.stringify(settings));
  writeFileSync(
    join(folder.path, 'a.tsx'),
    `declare namespace JSX { interface IntrinsicElements { dialog: object } }
     export const found = [new Map<string, string>().values().map(String), URL.parse('a'), Promise.try(String)];
     export const bytes = (answer: Response) => answer.bytes();
     export const stack = () => new DisposableStack();
     export class Own extends Float16Array {}
     export const { escape } = RegExp;
     export class Plain extends Map<string, DisposableStack> {}
     export const dialog = <dialog closedby="any" />;
     export const known = [['a'].map(String), new Set<string>().union(new Set()), JSON.parse('1')];
     export const asked = () => navigator.setAppBadge?.(1);`,
  );
  const lacking = await lackingInSources(config, (path) => path.endsWith('a.tsx'));
  expect(lacking.map(({ feature }) => feature).toSorted()).toEqual(
    [
      '*.bytes',
      '*.parse',
      '<dialog closedby>',
      'DisposableStack',
      'Float16Array',
      'Iterator.map',
      'Promise.try',
      'RegExp.escape',
    ].toSorted(),
  );
});

test('[WC302] docs/browsers.md names the versions that the check uses', () => {
  const text = readFileSync(join(ROOT, 'docs/browsers.md'), 'utf8');
  const { safari, firefox, chrome } = OLDEST;
  expect(text).toContain(`| Safari ${safari} |`);
  expect(text).toContain(`| Firefox ${firefox} |`);
  expect(text).toContain(`| Chromium ${chrome} |`);
});

test('[WC303] the script that reports an old browser is ES5, and names the versions', () => {
  const text = readFileSync(join(ROOT, 'packages/web/src/too-old.js'), 'utf8');
  expect(() => parse(text, { ecmaVersion: 5 })).not.toThrow();
  const said = text.replaceAll(/' \+\s*'/g, '').match(/Safari [\d.]+, Firefox \d+, Chrome \d+/g);
  const named = `Safari ${OLDEST.safari}, Firefox ${OLDEST.firefox}, Chrome ${OLDEST.chrome}`;
  expect(said).toEqual([named, named]);
});
