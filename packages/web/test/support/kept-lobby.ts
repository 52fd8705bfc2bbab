import type { TestBrowser } from '@hearth/testing/browser/use-browser';
import { Someone } from './someone.ts';
import type { WebInstance } from './web-instance.ts';

/**
 * A window of somebody without an account who is in the lobby, for all tests of a file that need no more than that. It is
 * loaded again only if a test has not left it as it was. Tests that change settings, or expect faults, need their own.
 */
export class KeptLobby {
  readonly #browser: TestBrowser;
  #kept: Someone | undefined;

  constructor(browser: TestBrowser) {
    this.#browser = browser;
  }

  async enter(instance: Pick<WebInstance, 'url'>): Promise<Someone> {
    const kept = this.#kept;
    if (kept === undefined) {
      this.#kept = await Someone.enter(await this.#browser.emptyVisit('file'), instance);
      return this.#kept;
    }
    kept.visit.requested.length = 0;
    if (!(await isAsEntered(kept))) await kept.page.goto(instance.url);
    await kept.waitUntilOnline();
    await kept.messageBox.focus();
    return kept;
  }
}

/** Resolves with whether the reader is in the lobby, at the newest message, with nothing open and nothing written. */
function isAsEntered({ page }: Someone): Promise<boolean> {
  return page.evaluate(() => {
    const log = document.querySelector('[role=log]');
    const isAtEnd =
      log !== null && log.scrollHeight - log.scrollTop - log.clientHeight < log.clientHeight / 4;
    const box = document.querySelector('.composer textarea');
    const isEmpty = box instanceof HTMLTextAreaElement && box.value === '';
    const further = 'dialog, [role=dialog], [role=menu], [data-delivery], .picked, .reply-strip';
    const isAlone = document.querySelector(further) === null;
    const isFirst = Reflect.get(Object(history.state), 'entriesBefore') === 0;
    return isAtEnd && isEmpty && isAlone && isFirst && location.href === document.baseURI;
  });
}
