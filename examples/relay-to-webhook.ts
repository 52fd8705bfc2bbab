/**
 * Posts every message to a webhook, one by one and in order:
 * `bun examples/relay-to-webhook.ts http://localhost:7159 https://example.org/hook`.
 */
import { connect } from '@hearth/sdk';

const [instanceUrl, webhookUrl] = process.argv.slice(2);
if (instanceUrl === undefined || webhookUrl === undefined) {
  throw new Error('usage: relay-to-webhook.ts <instance url> <webhook url>');
}

const client = await connect(instanceUrl);
client.on('gap', ({ fromMs, untilMs }) => {
  const [from, until] = [fromMs, untilMs].map((ms) => new Date(ms).toISOString());
  console.error(`Messages from ${from} to ${until} may be missing`);
});
const messages = client.messages();
await client.open();
console.log(`Relaying what is said at ${client.info.instance_name}`);
for await (const { author, content } of messages) {
  try {
    const answer = await fetch(webhookUrl, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ username: author, content }),
    });
    await answer.body?.cancel();
    if (!answer.ok) throw new Error(`it answered ${answer.status}`);
  } catch (error) {
    console.error(`The webhook did not take a message of ${author}:`, error);
  }
}
