/** The output of a process, line by line. */
export class Lines {
  #text = '';
  #hasEnded = false;
  #news = Promise.withResolvers<void>();
  readonly #decoder = new TextDecoder();

  /** Everything so far. */
  get text(): string {
    return this.#text;
  }

  /** The complete lines so far, without their ends. */
  get all(): readonly string[] {
    return this.#text.split(/\r?\n/).slice(0, -1);
  }

  /** The lines that are JSON objects, parsed. */
  get entries(): readonly Readonly<Record<string, unknown>>[] {
    return this.all.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
  }

  push(bytes: Uint8Array): void {
    this.#text += this.#decoder.decode(bytes, { stream: true });
    this.#wake();
  }

  end(): void {
    this.#hasEnded = true;
    this.#wake();
  }

  /** Takes all of `stream`. Resolves at its end. */
  async take(stream: ReadableStream<Uint8Array>): Promise<void> {
    for await (const bytes of stream) this.push(bytes);
    this.end();
  }

  /** The first line that `pattern` matches. Rejects if the text ends without one. */
  async find(pattern: RegExp): Promise<string> {
    for (;;) {
      const found = this.all.find((line) => pattern.test(line));
      if (found !== undefined) return found;
      if (this.#hasEnded) throw new Error(`no line matches ${pattern} in: ${this.#text}`);
      await this.#news.promise;
    }
  }

  /** Resolves when `isMet`, which is checked after each piece of text. Rejects if the text ends first. */
  async until(isMet: (text: string) => boolean): Promise<void> {
    while (!isMet(this.#text)) {
      if (this.#hasEnded) throw new Error(`the text ended first: ${this.#text}`);
      await this.#news.promise;
    }
  }

  #wake(): void {
    this.#news.resolve();
    this.#news = Promise.withResolvers();
  }
}
