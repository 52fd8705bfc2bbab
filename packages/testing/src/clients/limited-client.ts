import { RATE_LIMIT_HEADERS } from '@hearth/protocol';
import { expect } from 'bun:test';
import { encodeForm, type FormPart } from './upload-form.ts';

/** The rate-limit headers of an answer; a missing header is omitted. */
export type LimitHeaders = Partial<Record<keyof typeof RATE_LIMIT_HEADERS, number>>;

/** Reads the rate-limit headers of an answer. Throws if one is not a whole number. */
export function limitHeaders(answer: Response): LimitHeaders {
  const read: LimitHeaders = {};
  // Guarantee: the keys of the record are its type's.
  for (const key of Object.keys(RATE_LIMIT_HEADERS) as (keyof typeof RATE_LIMIT_HEADERS)[]) {
    const value = answer.headers.get(RATE_LIMIT_HEADERS[key]);
    if (value === null) continue;
    expect([key, value]).toEqual([key, expect.stringMatching(/^(0|[1-9]\d*)$/)]);
    read[key] = Number(value);
  }
  return read;
}

/** Environment of an instance that distinguishes {@link LimitedClient}s, as if it were behind a proxy. */
export const BEHIND_PROXY = { TRUSTED_PROXIES: '127.0.0.1' };

let clients = 0;

/** A client whose rate-limit windows no other test uses, on an instance {@link BEHIND_PROXY}. */
export class LimitedClient {
  /** The header line that identifies the client. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(address?: string) {
    clients += 1;
    this.headers = { 'X-Real-IP': address ?? `198.18.${clients >> 8}.${clients & 255}` };
  }

  /** The headers as lines of a handshake. */
  get headerLines(): readonly string[] {
    return Object.entries(this.headers).map(([name, value]) => `${name}: ${value}`);
  }

  /** Sends a request. Its answer is complete: its body has been read. */
  async request(method: string, url: string, body?: string): Promise<Response> {
    const answer = await fetch(url, {
      method,
      headers: this.headers,
      ...(body === undefined ? {} : { body }),
    });
    return new Response(method === 'HEAD' ? null : await answer.bytes(), answer);
  }

  get(url: string): Promise<Response> {
    return this.request('GET', url);
  }

  /** Uploads a form with these parts. */
  async upload(url: string, ...parts: readonly FormPart[]): Promise<Response> {
    const { contentType, body } = encodeForm(...parts);
    const headers = { ...this.headers, 'Content-Type': contentType };
    const answer = await fetch(url, { method: 'POST', headers, body });
    return new Response(await answer.bytes(), answer);
  }
}
