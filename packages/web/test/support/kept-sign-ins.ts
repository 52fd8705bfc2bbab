import type { TestBrowser } from '@hearth/testing/browser/use-browser';
import { afterEach } from 'bun:test';
import type { BrowserContext, Page } from 'playwright-core';
import { goTo } from './go-to.ts';
import { signInAs } from './members.ts';
import { Someone } from './someone.ts';

type State = Awaited<ReturnType<BrowserContext['storageState']>>;

const WIDTH = 1280;

/**
 * Windows of people who have signed in. Each signs in on the page once, and the window stays open for the later tests of
 * the file. Somebody's second window in a test has what the first one kept, and is closed after the test.
 */
export class KeptSignIns {
  readonly #browser: TestBrowser;
  readonly #faults: RegExp;
  readonly #states = new Map<string, State>();
  readonly #kept = new Map<string, Someone>();
  readonly #inUse = new Set<Someone>();

  /** `faults` are those that every window may have. */
  constructor(browser: TestBrowser, faults: RegExp) {
    this.#browser = browser;
    this.#faults = faults;
    afterEach(() => this.#inUse.clear());
  }

  /** Opens an address in a window of somebody who is signed in. */
  async enter(username: string, address: URL): Promise<Someone> {
    const kept = this.#kept.get(username);
    if (kept === undefined) return this.#signIn(username, address);
    if (this.#inUse.has(kept)) return this.#enterBeside(username, address);
    this.#inUse.add(kept);
    if (await isTidy(kept.page)) await goTo(kept.page, address.pathname);
    else await kept.page.goto(address.href);
    return kept;
  }

  async #signIn(username: string, address: URL): Promise<Someone> {
    const someone = new Someone(await this.#browser.emptyVisit('file'));
    const { visit, page } = someone;
    visit.expectFaults(this.#faults);
    await page.goto(new URL('/sign-in', address).href);
    await signInAs(someone, username);
    this.#states.set(username, await visit.context.storageState({ indexedDB: true }));
    this.#kept.set(username, someone);
    this.#inUse.add(someone);
    await goTo(page, address.pathname);
    return someone;
  }

  async #enterBeside(username: string, address: URL): Promise<Someone> {
    const storageState = this.#states.get(username);
    const someone = new Someone(await this.#browser.visit(storageState && { storageState }));
    someone.visit.expectFaults(this.#faults);
    await someone.page.goto(address.href);
    return someone;
  }
}

/**
 * Resolves with whether a test has left the page as it found it: nothing is open over it, and it is as wide as before.
 */
async function isTidy(page: Page): Promise<boolean> {
  if (page.viewportSize()?.width !== WIDTH) {
    await page.setViewportSize({ width: WIDTH, height: 800 });
    return false;
  }
  return (await page.locator('dialog[open], [role=menu], [role=dialog]').count()) === 0;
}
