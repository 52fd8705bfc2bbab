/** A request that is not measured. */
export interface Asked {
  /** Default: POST. */
  readonly method?: string;
  readonly path: string;
  readonly body: object;
  readonly authorization?: string;
}

/** Sends it, and returns the answer. Throws unless that is a success. */
export async function ask(
  port: number,
  { method = 'POST', path, body, authorization }: Asked,
): Promise<{ readonly id?: string; readonly token?: string }> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: authorization === undefined ? {} : { authorization },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}`);
  return await answer.json();
}

/** Makes an account, and returns its header. */
export async function register(port: number, username: string): Promise<string> {
  const account = { username, email: `${username}@example.org`, password: 'correct horse battery' };
  const { token } = await ask(port, { path: '/users', body: account });
  return `Bearer ${token}`;
}
