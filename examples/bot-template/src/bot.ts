import process from 'node:process';
import {
  ClosedError,
  connect,
  HearthError,
  NetworkError,
  type Client,
  type TokenStorage,
} from '@hearth/sdk';
import { fileTokens, signIn } from './account.ts';
import { answerTo } from './commands.ts';
import { channelMessages, lobbyMessages } from './places.ts';

const { HEARTH_URL: url = 'http://localhost:7159', HEARTH_NAME: author = 'echo-bot' } = process.env;
const { HEARTH_CHANNEL: place, HEARTH_TOKEN_FILE: tokenFile = 'token' } = process.env;

const stopping = new AbortController();
const { signal } = stopping;
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.once(name, () => {
    console.log('Stopping');
    stopping.abort();
  });
}

/** Answers commands until the process is to stop. */
async function run(): Promise<void> {
  const tokens = place === undefined ? undefined : fileTokens(tokenFile);
  const client = await connected(tokens);
  try {
    if (tokens !== undefined) await signIn(client, tokens);
    client.on('gap', () => console.error('Some messages were missed'));
    await client.open({ signal });
    const name = place === undefined ? author : (await client.me()).username;
    const messages =
      place === undefined
        ? lobbyMessages(client, signal)
        : channelMessages(client, { place, signal });
    // It listens from here on.
    const first = messages.next();
    console.log(`${name} is at ${client.info.instance_name}`);
    for (let heard = await first; heard.done !== true; heard = await messages.next()) {
      if (signal.aborted) break;
      // A bot that answers itself never stops.
      if (heard.value.isOwn) continue;
      const answer = await answerTo(heard.value.content);
      if (answer !== undefined) await heard.value.answer(answer).catch(reportRefusal);
    }
  } finally {
    await client.close();
  }
}

/** Connects, or says what is wrong with the address. */
async function connected(tokens: TokenStorage | undefined): Promise<Client> {
  try {
    return await connect(url, { author, ...(tokens && { tokens }) });
  } catch (error) {
    const isKnown = error instanceof HearthError || error instanceof TypeError;
    if (!isKnown || error instanceof NetworkError) throw error;
    throw new HearthError(
      `${error.message}. HEARTH_URL has to be the address of the instance's page or REST service, not ${url}`,
      { cause: error },
    );
  }
}

/** An answer that was refused does not end the bot. */
function reportRefusal(error: unknown): void {
  if (!(error instanceof HearthError) || error instanceof ClosedError) throw error;
  console.error(error.message);
}

await run().catch((error: unknown) => {
  if (signal.aborted) return;
  console.error(error instanceof HearthError ? error.message : error);
  process.exitCode = 1;
});
