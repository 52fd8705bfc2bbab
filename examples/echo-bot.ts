/** Answers `!ping` with `pong`: `bun examples/echo-bot.ts http://localhost:7159`, or `node` from version 24 on. */
import { connect } from '@hearth/sdk';

const author = 'echo-bot';
const client = await connect(process.argv[2] ?? 'http://localhost:7159', { author });
const messages = client.messages();
await client.open();
console.log(`${author} listens at ${client.info.instance_name}`);
for await (const message of messages) {
  // A bot must never answer itself, so it ignores everyone with its name.
  if (message.author === author || message.content !== '!ping') continue;
  await client.send('pong');
}
