/**
 * Runs compose.scale.yaml with processes instead of containers, for machines without a container engine: `bun
 * deploy/like-compose.ts`. It needs PostgreSQL, Redis, Caddy and SeaweedFS (`weed`, or the program that SEAWEEDFS names) on
 * this machine. Everything listens on 127.0.0.1, and all data are removed when it ends.
 */
import { caddyProgram } from './test/support/caddy.ts';
import { startLikeCompose } from './test/support/like-compose.ts';

const caddy = caddyProgram();
if (caddy === undefined) throw new Error('caddy is not installed');
const { promise: interrupted, resolve: interrupt } = Promise.withResolvers<void>();
process.once('SIGINT', () => interrupt());
process.once('SIGTERM', () => interrupt());
await using instance = await startLikeCompose(caddy);
process.stdout.write(`The web client is at ${instance.site}. Ctrl-C stops everything.\n`);
await interrupted;
await instance.stop();
