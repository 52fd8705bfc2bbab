import type { LimitedClient } from './limited-client.ts';
import { RawConnection } from './raw-http.ts';
import type { EncodedForm } from './upload-form.ts';

export interface SlowUploadOptions {
  readonly client: Pick<LimitedClient, 'headers'>;
  readonly form: EncodedForm;
  /** The Content-Length: by default the form's own length, and none if the body is chunked. */
  readonly announced?: number | 'chunked';
}

/** An upload that is sent piece by piece, as far as the test wants. */
export class SlowUpload implements Disposable {
  readonly #connection: RawConnection;
  readonly #body: Buffer<ArrayBuffer>;
  readonly #isChunked: boolean;
  #sent = 0;

  private constructor(connection: RawConnection, options: SlowUploadOptions) {
    this.#connection = connection;
    this.#body = options.form.body;
    this.#isChunked = options.announced === 'chunked';
  }

  /** Sends the head of the request. */
  static async begin(url: string, options: SlowUploadOptions): Promise<SlowUpload> {
    const { client, form, announced = form.body.byteLength } = options;
    const connection = await RawConnection.connect(url);
    const lines = [
      'POST /attachments HTTP/1.1',
      'Host: hearth.test',
      `Content-Type: ${form.contentType}`,
      announced === 'chunked' ? 'Transfer-Encoding: chunked' : `Content-Length: ${announced}`,
      ...Object.entries(client.headers).map(([name, value]) => `${name}: ${value}`),
    ];
    await connection.send(`${lines.join('\r\n')}\r\n\r\n`);
    return new SlowUpload(connection, options);
  }

  /** Sends this many more bytes of the form. */
  async send(bytes: number): Promise<void> {
    const piece = this.#body.subarray(this.#sent, this.#sent + bytes);
    this.#sent += piece.byteLength;
    // An empty chunk would be the end.
    if (piece.byteLength === 0) return;
    if (!this.#isChunked) return this.#connection.send(piece);
    const size = `${piece.byteLength.toString(16)}\r\n`;
    await this.#connection.send(Buffer.concat([Buffer.from(size), piece, Buffer.from('\r\n')]));
  }

  /** Sends the rest of the form, and returns the answer. */
  async finish(): Promise<Response> {
    await this.send(this.#body.byteLength - this.#sent);
    if (this.#isChunked) await this.#connection.send('0\r\n\r\n');
    return this.answer();
  }

  /** The answer, without sending anything more. */
  answer(): Promise<Response> {
    return this.#connection.answer();
  }

  /** Breaks the connection off. */
  [Symbol.dispose](): void {
    this.#connection[Symbol.dispose]();
  }
}
