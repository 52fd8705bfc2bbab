import type { TestBrowser } from '@hearth/testing/browser/use-browser';
import type { BrowserContext } from 'playwright-core';
import { signInAs } from './members.ts';
import { Someone } from './someone.ts';

type State = Awaited<ReturnType<BrowserContext['storageState']>>;

/** Windows of people who have signed in. Each signs in on the page once, and later windows have what that one kept. */
export class KeptSignIns {
  readonly #browser: TestBrowser;
  readonly #faults: RegExp;
  readonly #states = new Map<string, State>();

  /** `faults` are those that every window may have. */
  constructor(browser: TestBrowser, faults: RegExp) {
    this.#browser = browser;
    this.#faults = faults;
  }

  /** Opens an address in a new window as somebody who is signed in. */
  async enter(username: string, address: URL): Promise<Someone> {
    const state = this.#states.get(username);
    const visit = await this.#browser.visit(state && { storageState: state });
    visit.expectFaults(this.#faults);
    const someone = new Someone(visit);
    if (state === undefined) {
      await visit.page.goto(new URL('/sign-in', address).href);
      await signInAs(someone, username);
      this.#states.set(username, await visit.context.storageState({ indexedDB: true }));
    }
    await visit.page.goto(address.href);
    return someone;
  }
}
