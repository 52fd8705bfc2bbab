import { signal, type ReadonlySignal } from '@preact/signals';

/** The parts of the page that are loaded on use: the sources that they are built from, or a package. */
export const PARTS = [
  'app/views/account.ts',
  'app/views/communities.ts',
  'app/views/frame.ts',
  'app/views/later.ts',
  'app/views/posts.ts',
  'app/views/search.ts',
  'conversation/markdown/highlight.ts',
  'gemoji',
  'text/de.ts',
] as const;

/** The name of a part. */
export type PartName = (typeof PARTS)[number];

/** Another attempt may succeed, or only a reload helps: the instance has another page by now. */
export type Loss = 'failed' | 'gone';

/** The way in which a part is loaded. */
export interface Loading {
  /** Rejects if it fails: the view works without the part, and nothing is shown. */
  readonly isOptional?: boolean;
  /** Called each time it fails. */
  readonly onLost?: () => void;
}

const lost = signal<ReadonlyMap<PartName, Loss>>(new Map());
let nextAttempt = Promise.withResolvers<void>();

/** The parts that could not be loaded, and that somebody waits for. */
export const lostParts: ReadonlySignal<ReadonlyMap<PartName, Loss>> = lost;

/**
 * Loads a part of the page. If that fails, the page says so ({@link lostParts}), and it is tried again when the reader asks for
 * that ({@link retryParts}). Its files are fetched first, because a browser may ask for a module only once, whatever came.
 */
export async function loadPart<Part>(
  name: PartName,
  load: () => Promise<Part>,
  { isOptional = false, onLost }: Loading = {},
): Promise<Part> {
  for (;;) {
    const files = new PartFiles(name);
    try {
      await files.fetch();
      const part = await load();
      if (lost.peek().has(name)) setLoss(name, undefined);
      return part;
    } catch (error) {
      if (isOptional) throw error;
      const isGone = files.areFetched || files.areGone || (await isPageOld());
      setLoss(name, isGone ? 'gone' : 'failed');
      onLost?.();
    }
    await nextAttempt.promise;
  }
}

/** Tries again to load what was lost. */
export function retryParts(): void {
  nextAttempt.resolve();
  nextAttempt = Promise.withResolvers();
}

const old = signal(false);

/** Is true once the instance is known to have another page than this one. */
export const isOld: ReadonlySignal<boolean> = old;

/** Finds out whether the instance has another page than this one. */
export async function checkPage(): Promise<void> {
  if (await isPageOld()) old.value = true;
}

/** Returns whether the instance has another page than this one; false if that cannot be found out. */
async function isPageOld(): Promise<boolean> {
  // In tests of single functions, there is no page.
  if (globalThis.document === undefined) return false;
  const script = document.querySelector('script[type=module][src]')?.getAttribute('src');
  const headers = { Accept: 'text/html' };
  const page = await fetch(document.baseURI, { cache: 'no-store', headers })
    .then((response) => (response.ok ? response.text() : ''))
    .catch(() => '');
  // A proxy may have answered instead.
  const isOurs = page.includes('id="instance-info"');
  return isOurs && script !== undefined && script !== null && !page.includes(script);
}

/** Loads the page again if the instance serves it; otherwise the browser would show an error in its place. */
export async function reloadIfServed(): Promise<void> {
  const request = fetch(document.baseURI, { method: 'HEAD', cache: 'no-store' });
  const isServed = await request.then(
    ({ ok }) => ok,
    () => false,
  );
  if (isServed) location.reload();
}

function setLoss(name: PartName, loss: Loss | undefined): void {
  const next = new Map(lost.peek());
  if (loss === undefined) next.delete(name);
  else next.set(name, loss);
  lost.value = next;
}

const fetched = new Set<string>();

/** The files of a part that the first view does not need, as the page lists them. */
class PartFiles {
  readonly #paths: readonly string[];
  /** Is set when all of them have come. */
  areFetched = false;
  /** Is set if the instance does not have one of them. */
  areGone = false;

  constructor(name: PartName) {
    this.#paths = listedFiles()[name] ?? [];
  }

  /** Throws if one does not come. They stay in the browser's cache. */
  async fetch(): Promise<void> {
    await Promise.all(this.#paths.map((path) => this.#fetchOne(path)));
    this.areFetched = this.#paths.length > 0;
  }

  async #fetchOne(path: string): Promise<void> {
    if (fetched.has(path)) return;
    const response = await fetch(new URL(path, document.baseURI));
    const type = response.headers.get('content-type') ?? '';
    if (response.status === 404 || response.status === 410) this.areGone = true;
    if (!response.ok || !type.includes('javascript')) throw new Error(`${path} did not come`);
    await response.arrayBuffer();
    fetched.add(path);
  }
}

/** In tests of single functions, there is no page. */
function listedFiles(): Readonly<Partial<Record<PartName, readonly string[]>>> {
  const text = globalThis.document?.querySelector('#parts')?.textContent ?? '{}';
  // Guarantee: the build writes it.
  return JSON.parse(text) as Readonly<Partial<Record<PartName, readonly string[]>>>;
}
