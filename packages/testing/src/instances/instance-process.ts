import { startTestInstance } from './test-instance.ts';

// An instance in a process of its own, with the instance file and the web client that it is given. It believes X-Forwarded-For, says
// where it is and runs until it is told to end.
const [toml = '', web = '', extra = '{}'] = process.argv.slice(2);
const instance = await startTestInstance({
  toml,
  web,
  env: { TRUSTED_PROXIES: '127.0.0.1', ...JSON.parse(extra) },
});
const opened = instance.web.state === 'served' ? { web: instance.web.url } : {};
process.stdout.write(`${JSON.stringify({ ...instance.addresses, ...opened })}\n`);
process.once('SIGTERM', () => void instance[Symbol.asyncDispose]().then(() => process.exit(0)));
