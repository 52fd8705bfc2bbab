import process from 'node:process';
import { ClosedError, connect, HearthError, NetworkError, type Client } from '@hearth/sdk';
import { answerTo } from './commands.ts';

const { HEARTH_URL: url = 'http://localhost:7159', HEARTH_NAME: author = 'echo-bot' } = process.env;

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
  const client = await connected();
  try {
    client.on('gap', () => console.error('Some messages were missed'));
    const messages = client.messages({ signal });
    await client.open({ signal });
    console.log(`${author} is at ${client.info.instance_name}`);
    for await (const message of messages) {
      if (signal.aborted) break;
      // A bot that answers itself never stops.
      if (message.isOwn) continue;
      const answer = await answerTo(message.content);
      if (answer !== undefined) await message.reply(answer).catch(reportRefusal);
    }
  } finally {
    await client.close();
  }
}

/** Connects, or says what is wrong with the address. */
async function connected(): Promise<Client> {
  try {
    return await connect(url, { author });
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
