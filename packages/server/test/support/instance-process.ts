import { startTestInstance } from './test-instance.ts';

// An instance in a process of its own, with the instance file that it is given. It believes X-Forwarded-For, says
// where it is and runs until it is told to end.
const [toml = ''] = process.argv.slice(2);
const instance = await startTestInstance({ toml, env: { TRUSTED_PROXIES: '127.0.0.1' } });
process.stdout.write(`${JSON.stringify(instance.addresses)}\n`);
process.once('SIGTERM', () => void instance[Symbol.asyncDispose]().then(() => process.exit(0)));
