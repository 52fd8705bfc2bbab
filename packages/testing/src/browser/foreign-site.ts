import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const EMPTY_PAGE = '<!doctype html><html lang="en"><title>Elsewhere</title><body></body></html>';
const HTML = 'text/html; charset=utf-8';

/** The answer of a site for a path. */
export interface SitePage {
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The origin of a page that uses an instance but is not served by it. */
export type Elsewhere = 'another port' | 'a sandbox' | 'a file';

/** All of these origins; the last two are `null`. */
export const ELSEWHERE: readonly Elsewhere[] = ['another port', 'a sandbox', 'a file'];

/** Another site: it serves pages and records the requests that it gets. */
export class ForeignSite implements AsyncDisposable {
  readonly origin: string;
  /** The requested paths, in order. */
  readonly asked: string[] = [];
  readonly #folder: string;
  readonly #server: Bun.Server<undefined>;
  readonly #pages = new Map<string, SitePage>();

  private constructor(folder: string) {
    this.#folder = folder;
    this.#server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: (request) => this.#answer(new URL(request.url).pathname),
    });
    this.origin = `http://127.0.0.1:${this.#server.port}`;
    this.#pages.set('/another%20port', { body: EMPTY_PAGE });
    this.#pages.set('/a%20sandbox', {
      body: EMPTY_PAGE,
      headers: { 'Content-Security-Policy': 'sandbox allow-scripts' },
    });
  }

  /** Starts a site on a free port. */
  static async start(): Promise<ForeignSite> {
    const folder = await mkdtemp(join(tmpdir(), 'hearth-'));
    await writeFile(join(folder, 'page.html'), EMPTY_PAGE);
    return new ForeignSite(folder);
  }

  /** The address of an empty page of that kind. */
  emptyPage(kind: Elsewhere): string {
    if (kind === 'a file') return pathToFileURL(join(this.#folder, 'page.html')).href;
    return `${this.origin}/${encodeURIComponent(kind)}`;
  }

  /** Serves a page, as HTML unless its headers say otherwise, and returns its address. */
  serve(path: string, page: SitePage): string {
    this.#pages.set(path, page);
    return this.origin + path;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.stop(true);
    await rm(this.#folder, { recursive: true, force: true });
  }

  #answer(path: string): Response {
    this.asked.push(path);
    const page = this.#pages.get(path);
    if (page === undefined) return new Response(null, { status: 204 });
    return new Response(page.body, { headers: { 'Content-Type': HTML, ...page.headers } });
  }
}
