import type {
  BrowserName,
  CompatStatement,
  SimpleSupportStatement,
} from '@mdn/browser-compat-data';

/** The oldest supported versions. docs/browsers.md names them, and how they are chosen. */
export const OLDEST: Readonly<Partial<Record<BrowserName, string>>> = {
  safari: '17.4',
  safari_ios: '17.4',
  firefox: '140',
  firefox_android: '140',
  chrome: '130',
  chrome_android: '130',
  edge: '130',
};

/** A use of something that an oldest supported browser lacks. */
export interface Lacking {
  /** Its name, such as `URL.parse`. */
  readonly feature: string;
  readonly lackedBy: readonly string[];
  /** The file, with what is found there. */
  readonly where: string;
}

/** The browsers of {@link OLDEST} that lack a feature, or have it under another name or only if somebody switches it on. */
export function lackedBy({ support }: CompatStatement): readonly string[] {
  return Object.entries(OLDEST).flatMap(([browser, oldest]) => {
    // Guarantee: the names are those of OLDEST.
    const statements = support[browser as BrowserName];
    if (statements === undefined) return [];
    const isKnown = [statements].flat().some((statement) => isIn(statement, oldest));
    return isKnown ? [] : [`${browser} ${oldest}`];
  });
}

function isIn(statement: SimpleSupportStatement, version: string): boolean {
  const { version_added: since, version_removed: until, flags, prefix } = statement;
  if (flags !== undefined || prefix !== undefined || statement.alternative_name !== undefined) {
    return false;
  }
  return isReleased(since, version) && !isReleased(until, version);
}

function isReleased(since: string | false | undefined, version: string): boolean {
  if (since === undefined || since === false || since === 'preview') return false;
  const [major = 0, minor = 0] = partsOf(since);
  const [ourMajor = 0, ourMinor = 0] = partsOf(version);
  return major < ourMajor || (major === ourMajor && minor <= ourMinor);
}

function partsOf(version: string): readonly number[] {
  return version.replace('≤', '').split('.').map(Number);
}
