import { startTestInstance } from './test-instance.ts';

/**
 * An instance in a separate process, with the given instance file, web client and environment. It trusts X-Forwarded-For,
 * prints its addresses, and runs until it gets a signal.
 */
export async function run([toml = '', web = '', extra = '{}']: readonly string[]): Promise<void> {
  const instance = await startTestInstance({
    toml,
    web,
    env: { TRUSTED_PROXIES: '127.0.0.1', ...JSON.parse(extra) },
  });
  const opened = instance.web.state === 'served' ? { web: instance.web.url } : {};
  process.stdout.write(`${JSON.stringify({ ...instance.addresses, ...opened })}\n`);
  process.once('SIGTERM', () => void instance[Symbol.asyncDispose]().then(() => process.exit(0)));
}

if (import.meta.main) void run(process.argv.slice(2));
