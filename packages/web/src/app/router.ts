import { signal, type ReadonlySignal } from '@preact/signals';
import { findWebPlace, type WebPlace } from '@hearth/protocol';

/** The part of a browser's history that a router uses. */
export interface RouterHistory {
  readonly state: unknown;
  readonly length: number;
  pushState(state: unknown, unused: string, url: string): void;
  replaceState(state: unknown, unused: string, url?: string): void;
  back(): void;
}

/** The part of a browser's window that a router uses. */
export interface RouterWindow {
  readonly location: Pick<Location, 'href'>;
  readonly history: RouterHistory;
  addEventListener(name: 'popstate', listener: () => void): void;
  removeEventListener(name: 'popstate', listener: () => void): void;
}

/** The reader is somewhere. Every navigation makes another visit, even to the same place. */
export interface Visit {
  /** Undefined if the address is no place. */
  readonly place: WebPlace | undefined;
  /**
   * True if the place is shown by itself, and not over what the reader saw before: they began there, or asked for that.
   */
  readonly isPage: boolean;
  /** Is set if the reader went back or forward in the browser's history. */
  readonly isReturn: boolean;
}

interface Going {
  /** Takes the place of the current entry of the browser's history. */
  readonly isReplacing?: boolean;
  readonly isPage?: boolean;
}

/** Something that lies over a place and has no address. */
interface Cover {
  /** Called when the reader went back or elsewhere. */
  readonly onLeft: () => void;
}

/** The file that is also the place `/`. */
const PAGE_FILE = 'index.html';

/** Follows the page's address, and changes it. Addresses are below `root`, where a proxy may have put the page. */
export class Router implements Disposable {
  readonly #window: RouterWindow;
  readonly #root: URL;
  readonly #visit;
  readonly #onPopState = () => this.#popped();
  /** The browser goes back later, and what is asked of the router meanwhile has to wait for it. */
  #isLeaving = false;
  #next: (Going & { readonly url: string }) | undefined;
  #arrivedAt: string;
  /** The cover over the place where the reader is, in an entry of its own. */
  #cover: Cover | undefined;

  /** `root` is the address of the place `/`. */
  constructor(window: RouterWindow, root: string) {
    this.#window = window;
    this.#root = new URL('./', root);
    const { history } = window;
    // A reloaded page knows how many entries of the browser's history before this one are its own.
    if (entriesBefore(history) === undefined) history.replaceState({ entriesBefore: 0 }, '');
    this.#arrivedAt = window.location.href;
    this.#visit = signal<Visit>(this.#visitNow(false));
    window.addEventListener('popstate', this.#onPopState);
    this.#leaveOldCover();
  }

  /** The place where the reader is. */
  get visit(): ReadonlySignal<Visit> {
    return this.#visit;
  }

  /** The place at an address, or undefined if that is not one of this page. */
  placeAt(url: string): WebPlace | undefined {
    const { origin, pathname } = new URL(url, this.#root);
    const { origin: ownOrigin, pathname: rootPath } = this.#root;
    if (origin !== ownOrigin || !pathname.startsWith(rootPath)) return undefined;
    const path = pathname.slice(rootPath.length);
    return findWebPlace(`/${path === PAGE_FILE ? '' : path}`);
  }

  /** The whole address of a path, as `webPath` returns it. */
  urlOf(path: string): string {
    return new URL(path.replace(/^\/+/, ''), this.#root).href;
  }

  /** Goes to a path, as `webPath` returns it. */
  go(path: string): void {
    this.goTo(this.urlOf(path));
  }

  /** Goes to an address of this page. It becomes a new entry of the browser's history unless it replaces the current one. */
  goTo(url: string, going: Going = {}): void {
    if (this.#isLeaving) {
      this.#next = { url, ...going };
      return;
    }
    const { isReplacing = false, isPage = false } = going;
    const { history, location } = this.#window;
    const before = entriesBefore(history) ?? 0;
    const cover = this.#uncover();
    if (isReplacing || cover !== undefined || url === location.href) {
      history.replaceState({ entriesBefore: before, ...(isPage && { isPage }) }, '', url);
    } else {
      history.pushState({ entriesBefore: before + 1, ...(isPage && { isPage }) }, '', url);
    }
    this.#arrive();
    cover?.onLeft();
  }

  /**
   * Something lies over the place where the reader is, such as a large picture, and Back closes it: `onLeft` is called.
   * Returns a function that removes the entry of the browser's history because it was closed in another way.
   */
  cover(onLeft: () => void): () => void {
    const cover = { onLeft };
    this.#cover = cover;
    if (!this.#isLeaving) this.#pushCover();
    return () => {
      if (this.#cover !== cover) return;
      this.#cover = undefined;
      if (this.#isLeaving) return;
      this.#isLeaving = true;
      this.#window.history.back();
    };
  }

  /** Closes what `visit` opened: goes back if the reader came from another place of this page, and to `/` otherwise. */
  leave(visit: Visit): void {
    // A dialog also closes because the reader went elsewhere.
    if (visit !== this.#visit.peek() || this.#isLeaving) return;
    const { history } = this.#window;
    if ((entriesBefore(history) ?? 0) > 0) {
      this.#isLeaving = true;
      history.back();
    } else this.goTo(this.#root.href, { isReplacing: true });
  }

  [Symbol.dispose](): void {
    this.#window.removeEventListener('popstate', this.#onPopState);
  }

  #popped(): void {
    const next = this.#next;
    // What was covered while the browser still went back stays.
    const cover = this.#isLeaving ? undefined : this.#uncover();
    this.#isLeaving = false;
    this.#next = undefined;
    // From a cover to its place or the other way round, the reader stays where they are.
    if (this.#window.location.href !== this.#arrivedAt) this.#arrive(true);
    cover?.onLeft();
    if (next !== undefined) this.goTo(next.url, next);
    else if (this.#cover !== undefined) this.#pushCover();
    else this.#leaveOldCover();
  }

  /** Goes back from the entry of a cover that is no longer there, as after a reload: Back would seem to do nothing. */
  #leaveOldCover(): void {
    const { history } = this.#window;
    if (!hasMark(history, 'isCover') || history.length < 2) return;
    this.#isLeaving = true;
    history.back();
  }

  #pushCover(): void {
    const { history, location } = this.#window;
    const before = entriesBefore(history) ?? 0;
    const marks = { isCover: true, ...(hasMark(history, 'isPage') && { isPage: true }) };
    history.pushState({ entriesBefore: before + 1, ...marks }, '', location.href);
  }

  #uncover(): Cover | undefined {
    const cover = this.#cover;
    this.#cover = undefined;
    return cover;
  }

  #arrive(isReturn = false): void {
    this.#arrivedAt = this.#window.location.href;
    this.#visit.value = this.#visitNow(isReturn);
  }

  #visitNow(isReturn: boolean): Visit {
    const { history } = this.#window;
    const isPage = entriesBefore(history) === 0 || hasMark(history, 'isPage');
    return { place: this.placeAt(this.#arrivedAt), isPage, isReturn };
  }
}

function hasMark({ state }: Pick<RouterHistory, 'state'>, name: 'isCover' | 'isPage'): boolean {
  return typeof state === 'object' && state !== null && Reflect.get(state, name) === true;
}

function entriesBefore({ state }: Pick<RouterHistory, 'state'>): number | undefined {
  if (typeof state !== 'object' || state === null) return undefined;
  const count: unknown = Reflect.get(state, 'entriesBefore');
  return typeof count === 'number' ? count : undefined;
}
