import type { SessionClient } from '@hearth/protocol';

/** Names that browsers give to themselves; several also contain those of others, so the order matters. */
const BROWSERS = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/(?:Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
] as const;

const PLATFORMS = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
] as const;

/** This browser, as it stands in the list of sessions. */
export function sessionClient(userAgent: string): SessionClient {
  const nameIn = (names: readonly (readonly [RegExp, string])[]) =>
    names.find(([pattern]) => pattern.test(userAgent))?.[1];
  return { name: nameIn(BROWSERS) ?? 'Browser', platform: nameIn(PLATFORMS) ?? 'Web' };
}
