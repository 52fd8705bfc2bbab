import type { Client } from './client.ts';
import { connectLight } from './connect-light.ts';
import { addPosts } from './posts.ts';
import type { ClientOptions } from './types.ts';

/**
 * Finds an instance and makes a client; `open()` or `messages()` opens the gateway later. `url` is the address of the REST
 * service, of Hearth's web client, or of a page of that. Without a scheme, a public name means https and then http, and
 * everything else means http. Throws NetworkError, UnexpectedAnswerError, the errors of the envelope, and TypeError if
 * `url` is not an address.
 *
 * @example const client = await connect('https://chat.example.org', { author: 'echo-bot' });
 */
export async function connect(url: string | URL, options: ClientOptions = {}): Promise<Client> {
  const client = await connectLight(url, options);
  addPosts(client);
  return client;
}
