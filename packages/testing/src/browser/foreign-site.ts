import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const EMPTY_PAGE = '<!doctype html><html lang="en"><title>Elsewhere</title><body></body></html>';
const HTML = 'text/html; charset=utf-8';

/** What a site serves under a path. */
export interface SitePage {
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Where a page comes from that uses an instance without being its own. */
export type Elsewhere = 'another port' | 'a sandbox' | 'a file';

/** All of them; the last two have the origin `null`. */
export const ELSEWHERE: readonly Elsewhere[] = ['another port', 'a sandbox', 'a file'];

/** The site of somebody else: it serves pages and remembers what was asked of it. */
export class ForeignSite implements AsyncDisposable {
  readonly origin: string;
  /** Paths that were asked for, in order. */
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

  /** Starts one on a free port. */
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

  /** Serves a page, as HTML unless its headers say otherwise, and answers its address. */
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
