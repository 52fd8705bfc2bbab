import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

/**
 * The time that a test waits for something on a page. A busy machine is slow, and only a failing test waits this long.
 */
export const PATIENCE_MS = 30_000;

/** Options of a window for tests about what moves. */
export const MOVING = { reducedMotion: 'no-preference' } as const;

/** Prints violations of the Content-Security-Policy to the console, also those of frames. */
const TELL_VIOLATIONS = `addEventListener('securitypolicyviolation', (event) => {
  console.error('policy violated: ' + event.effectiveDirective + ' by ' + (event.blockedURI || 'inline'));
});`;

/** A page with an icon, so that the browser does not request one. */
const EMPTY_PAGE = { contentType: 'text/html', body: '<link rel="icon" href="data:,">' };

/** Playwright's own default. */
const VIEWPORT = { width: 1280, height: 720 };

/** One person's browser window: what they see, and the errors in it. */
export class Visit implements AsyncDisposable {
  readonly page: Page;
  readonly context: BrowserContext;
  /** The addresses of all requests, from any page of the visit. */
  readonly requested: string[] = [];
  readonly #origins = new Set<string>();
  #faults: string[] = [];
  #expected: readonly RegExp[] = [];
  #isOver = false;

  private constructor(context: BrowserContext, page: Page) {
    this.context = context;
    this.page = page;
  }

  /** Opens a window with its own storage. */
  static async begin(browser: Browser, options: BrowserContextOptions = {}): Promise<Visit> {
    const context = await browser.newContext({
      locale: 'en-GB',
      // The files that a worker fetches in advance cost time, and only tests about workers need them.
      serviceWorkers: 'block',
      // What moves is drawn sixty times a second. Only tests about that need it: see MOVING.
      reducedMotion: 'reduce',
      ...options,
    });
    context.setDefaultTimeout(PATIENCE_MS);
    await context.addInitScript(TELL_VIOLATIONS);
    const visit = new Visit(context, await context.newPage());
    visit.#watch();
    return visit;
  }

  /** Returns unexpected errors (in the console, in scripts, of the policy) and dialogs, each only once. */
  takeFaults(): readonly string[] {
    const faults = this.#faults;
    this.#faults = [];
    return faults.filter((fault) => !this.#expected.some((pattern) => pattern.test(fault)));
  }

  /** Ignores errors that the test causes, such as those of an instance that is away. */
  expectFaults(...patterns: readonly RegExp[]): void {
    this.#expected = [...this.#expected, ...patterns];
  }

  /** Empties the window for another test. */
  async empty(): Promise<void> {
    this.#isOver = true;
    const { page, context } = this;
    const others = context.pages().filter((other) => other !== page);
    await Promise.all(others.map((other) => other.close()));
    await Promise.all([context.unrouteAll(), page.unrouteAll(), context.setOffline(false)]);
    const { origin } = new URL(page.url());
    if (origin !== 'null') {
      // A page stores unsaved input when it is left, so leave it first. Its instance may already be gone.
      await page.route('**', (route) => route.fulfill(EMPTY_PAGE));
      // A page that is going back interrupts it once.
      await page.goto(origin).catch(() => page.goto(origin));
      await page.evaluate(() => sessionStorage.clear());
      await page.unroute('**');
    }
    const session = await context.newCDPSession(page);
    for (const left of this.#origins)
      await session.send('Storage.clearDataForOrigin', { origin: left, storageTypes: 'all' });
    await session.detach();
    await page.setViewportSize(VIEWPORT);
    await page.emulateMedia({ colorScheme: 'light' });
    this.#origins.clear();
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
      // A page that is left at the end of a test may ask for confirmation.
      void (this.#isOver ? dialog.accept() : dialog.dismiss()).catch(() => {});
    });
    this.context.on('request', (request) => this.requested.push(request.url()));
    const watchPage = (page: Page) => {
      page.on('websocket', (socket) => this.requested.push(socket.url()));
      page.on('crash', () => note('the page crashed'));
      page.on('framenavigated', (frame) => {
        if (frame.url().startsWith('http')) this.#origins.add(new URL(frame.url()).origin);
      });
    };
    watchPage(this.page);
    this.context.on('page', watchPage);
  }
}
