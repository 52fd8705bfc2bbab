import process from 'node:process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { HearthError, identityOf, type Client, type TokenStorage } from '@hearth/sdk';

/** Keeps the token of the bot's session in a file, so that it signs in only once. */
export function fileTokens(path: string): TokenStorage {
  return {
    read: () => readFile(path, 'utf8').catch(() => undefined),
    write: (token) =>
      token === undefined ? rm(path, { force: true }) : writeFile(path, token, { mode: 0o600 }),
  };
}

/** Signs in, unless the bot has a session already. */
export async function signIn(client: Client, tokens: TokenStorage): Promise<void> {
  if ((await tokens.read()) !== undefined) return;
  const { HEARTH_USER: user, HEARTH_PASSWORD: password } = process.env;
  if (user === undefined || password === undefined) {
    throw new HearthError('A channel needs an account: set HEARTH_USER and HEARTH_PASSWORD');
  }
  await client.signIn({ ...identityOf(user), password });
}
