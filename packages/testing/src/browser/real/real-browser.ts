import type { Action } from './actions.ts';

/** A browser other than Chromium with one window, with what WebDriver can do in WebKit and in Firefox alike. It accepts every certificate. */
export interface RealBrowser extends AsyncDisposable {
  readonly name: 'WebKit' | 'Firefox';
  /** Opens an address. Resolves when the page and what it refers to are loaded. */
  goTo(url: string): Promise<void>;
  /** Calls a function in the page, with values that JSON can express, and returns such a value. */
  call(source: string, values: readonly unknown[]): Promise<unknown>;
  /** Moves the pointer and presses keys as a person would. */
  perform(actions: readonly Action[]): Promise<void>;
  /** Chooses a file of this machine in the file input that the selector finds. */
  chooseFile(selector: string, path: string): Promise<void>;
  /** Changes the size of the page, in CSS pixels. */
  resize(size: Size): Promise<void>;
  /** A picture of what is seen, as PNG. */
  screenshot(): Promise<Uint8Array>;
}

/** The size of a page. */
export interface Size {
  readonly width: number;
  readonly height: number;
}
