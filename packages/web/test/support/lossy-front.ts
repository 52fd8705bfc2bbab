import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const CERTIFICATE = readFileSync(join(import.meta.dir, '../data/self-signed.pem'), 'utf8');

/** Serves the page of an instance, except for files that are lost on the way. */
export class LossyFront implements AsyncDisposable {
  readonly url: string;
  /** Scripts that contain any of these are lost. */
  lost: readonly string[] = [];
  readonly #server: Bun.Server<undefined>;

  constructor(origin: string, scheme: 'http' | 'https' = 'http') {
    this.#server = Bun.serve({
      ...(scheme === 'https' && { tls: { cert: CERTIFICATE, key: CERTIFICATE } }),
      hostname: '127.0.0.1',
      port: 0,
      fetch: (request) => this.#pass(request, origin),
    });
    this.url = `${scheme}://127.0.0.1:${this.#server.port}/`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.stop(true);
  }

  async #pass({ url, method, headers }: Request, origin: string): Promise<Response> {
    const { pathname } = new URL(url);
    const accept = headers.get('accept') ?? '*/*';
    const {
      status,
      headers: sent,
      body,
    } = await fetch(new URL(pathname, origin), {
      method,
      headers: { Accept: accept, 'Accept-Encoding': 'identity' },
    });
    if (!pathname.endsWith('.js')) return new Response(body, { status, headers: sent });
    const script = await new Response(body).text();
    const isLost = this.lost.some((part) => script.includes(part));
    return isLost ? new Response(null, { status: 503 }) : new Response(script, { headers: sent });
  }
}
