import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

/** How long a test waits for something on a page: a loaded machine is slow, and only a test that fails waits as long. */
export const PATIENCE_MS = 30_000;

/** Says violations of the Content-Security-Policy in the console, of frames too. */
const TELL_VIOLATIONS = `addEventListener('securitypolicyviolation', (event) => {
  console.error('policy violated: ' + event.effectiveDirective + ' by ' + (event.blockedURI || 'inline'));
});`;

/** With an icon, so that the browser asks for none. */
const EMPTY_PAGE = { contentType: 'text/html', body: '<link rel="icon" href="data:,">' };

/** A person's own browser window: what they see, and what went wrong in it. */
export class Visit implements AsyncDisposable {
  readonly page: Page;
  readonly context: BrowserContext;
  /** The address of everything that was asked for, in any page of the visit. */
  readonly requested: string[] = [];
  #faults: string[] = [];
  #expected: readonly RegExp[] = [];
  #isOver = false;

  private constructor(context: BrowserContext, page: Page) {
    this.context = context;
    this.page = page;
  }

  /** Opens a window with storage of its own. */
  static async begin(browser: Browser, options: BrowserContextOptions = {}): Promise<Visit> {
    const context = await browser.newContext({
      locale: 'en-GB',
      // What a worker fetches ahead costs time, and is of use to tests about workers only.
      serviceWorkers: 'block',
      ...options,
    });
    context.setDefaultTimeout(PATIENCE_MS);
    await context.addInitScript(TELL_VIOLATIONS);
    const visit = new Visit(context, await context.newPage());
    visit.#watch();
    return visit;
  }

  /** Errors in the console, of scripts and of the policy, and dialogs, that nobody expected; each is given once. */
  takeFaults(): readonly string[] {
    const faults = this.#faults;
    this.#faults = [];
    return faults.filter((fault) => !this.#expected.some((pattern) => pattern.test(fault)));
  }

  /** Lets errors be that belong to what the test does, such as those of an instance that is away. */
  expectFaults(...patterns: readonly RegExp[]): void {
    this.#expected = [...this.#expected, ...patterns];
  }

  /** Makes the window as empty as a new one, for another test. */
  async empty(): Promise<void> {
    this.#isOver = true;
    const others = this.context.pages().filter((page) => page !== this.page);
    await Promise.all(others.map((page) => page.close()));
    const { origin } = new URL(this.page.url());
    if (origin !== 'null') {
      // A page stores what it would lose, so it is left first; its instance may be gone already.
      await this.page.route('**', (route) => route.fulfill(EMPTY_PAGE));
      await this.page.goto(origin);
      await this.page.evaluate(() => {
        localStorage.clear();
        sessionStorage.clear();
      });
      await this.page.unroute('**');
    }
    this.requested.length = 0;
    this.#faults = [];
    this.#expected = [];
    this.#isOver = false;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    await this.context.close();
  }

  #watch(): void {
    const note = (fault: string) => {
      if (!this.#isOver) this.#faults.push(fault);
    };
    this.context.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'assert')
        note(`console: ${message.text()} (${message.location().url})`);
    });
    this.context.on('weberror', (error) => note(`uncaught: ${error.error()}`));
    this.context.on('dialog', (dialog) => {
      note(`dialog: ${dialog.message()}`);
      // A page that is left at the end of a test may ask whether it may be.
      void (this.#isOver ? dialog.accept() : dialog.dismiss()).catch(() => {});
    });
    this.context.on('request', (request) => this.requested.push(request.url()));
    const watchPage = (page: Page) => {
      page.on('websocket', (socket) => this.requested.push(socket.url()));
      page.on('crash', () => note('the page crashed'));
    };
    watchPage(this.page);
    this.context.on('page', watchPage);
  }
}
