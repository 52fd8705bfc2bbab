/**
 * Does with processes what compose.scale.yaml does with containers, where no engine for those runs: `bun
 * deploy/like-compose.ts`. It needs PostgreSQL, Redis, Caddy and SeaweedFS (`weed`, or what SEAWEEDFS names) on this
 * machine; everything is on 127.0.0.1, and gone when it ends.
 */
import { caddyProgram } from './test/support/caddy.ts';
import { startLikeCompose } from './test/support/like-compose.ts';

const caddy = caddyProgram();
if (caddy === undefined) throw new Error('caddy is not installed');
const { promise: told, resolve: tell } = Promise.withResolvers<void>();
process.once('SIGINT', () => tell());
process.once('SIGTERM', () => tell());
await using instance = await startLikeCompose(caddy);
process.stdout.write(`${instance.site} is where the web client is. Ctrl-C ends it all.\n`);
await told;
await instance.stop();
