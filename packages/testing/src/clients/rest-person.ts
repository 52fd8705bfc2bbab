import { ownCommunitySchema, signedInSchema } from '@hearth/protocol/schemas';
import type { Id, NewCommunity, OwnCommunity } from '@hearth/protocol';
import type { z } from 'zod';
import { PASSWORD } from '../instances/test-accounts.ts';
import type { TestInstance } from '../instances/test-instance.ts';
import { readError } from './read-error.ts';

type At = Pick<TestInstance, 'addresses'>;

/** Somebody who sends requests to the REST service: with an account, or a visitor without one. */
export class RestPerson {
  readonly #at: At;
  /** Empty for a visitor. */
  readonly token: string;
  readonly id: Id | undefined;

  private constructor(at: At, token: string, id?: Id) {
    this.#at = at;
    this.token = token;
    this.id = id;
  }

  /** Registers a person, whose password is {@link PASSWORD}. The instance must let everyone register. */
  static async register(at: At, username: string): Promise<RestPerson & { readonly id: Id }> {
    const given = { username, email: `${username}@example.org`, password: PASSWORD };
    const { token, user } = await visitor(at).ok(signedInSchema, 'POST', '/users', given);
    return Object.assign(new RestPerson(at, token, user.id), { id: user.id });
  }

  /** Signs a person in who was registered with {@link RestPerson.register}. */
  static async signIn(at: At, username: string): Promise<RestPerson & { readonly id: Id }> {
    const given = { username, password: PASSWORD };
    const { token, user } = await visitor(at).ok(signedInSchema, 'POST', '/auth', given);
    return Object.assign(new RestPerson(at, token, user.id), { id: user.id });
  }

  static visitor(at: At): RestPerson {
    return new RestPerson(at, '');
  }

  /** Sends a request. */
  async ask(method: string, path: string, body?: unknown): Promise<Response> {
    return await fetch(this.#at.addresses.rest + path, {
      method,
      headers: this.token === '' ? {} : { Authorization: `Bearer ${this.token}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }

  /** Sends a request, and parses its answer. Throws if that is an error. */
  async ok<Schema extends z.ZodType>(
    schema: Schema,
    ...[method, path, body]: Parameters<RestPerson['ask']>
  ): Promise<z.output<Schema>> {
    const answer = await this.ask(method, path, body);
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return schema.parse(await answer.json());
  }

  /** Sends a request that fails: its status, and the code, permission or field that the error names. */
  async refusal(...request: Parameters<RestPerson['ask']>): Promise<readonly [number, unknown?]> {
    const { status, data = {} } = await readError(await this.ask(...request));
    const reason = data['permission'] ?? data['code'] ?? data['field_name'];
    return reason === undefined ? [status] : [status, reason];
  }

  /** Makes a community; a private one unless `input` says otherwise. */
  async garden(slug: string, input: Partial<NewCommunity> = {}): Promise<OwnCommunity> {
    return await this.ok(ownCommunitySchema, 'POST', '/communities', {
      name: 'Garden',
      slug,
      ...input,
    });
  }
}

function visitor(at: At): RestPerson {
  return RestPerson.visitor(at);
}
