import { spawn } from 'node:child_process';

/** Starts a program. Rejects if it cannot be started. */
export type StartProgram = (program: string, args: readonly string[]) => Promise<void>;

/** The program that opens an address on a platform, and the arguments before the address. */
const OPENERS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/**
 * Opens a web address as the system does. No shell reads the address, and no other kind of address is opened. Rejects if
 * there is no program for it.
 */
export async function openAddress(
  address: string,
  platform: string = process.platform,
  start: StartProgram = startProgram,
): Promise<void> {
  const { protocol, href } = new URL(address);
  if (protocol !== 'http:' && protocol !== 'https:') throw new Error(`not a web address: ${href}`);
  const [program, ...args] = OPENERS[platform] ?? ['xdg-open'];
  await start(program, [...args, href]);
}

async function startProgram(program: string, args: readonly string[]): Promise<void> {
  // A browser may outlive the chat, and must not write to its terminal or receive its Ctrl-C.
  const child = spawn(program, args, { stdio: 'ignore', detached: true });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  child.unref();
}
