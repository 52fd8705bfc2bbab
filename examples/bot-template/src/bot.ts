import process from 'node:process';
import { ClosedError, connect, HearthError } from '@hearth/sdk';
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
  const client = await connect(url, { author });
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
