/**
 * All addresses of a name, as the machine's hosts file or its name servers say. It holds none of the threads that hash,
 * read and write meanwhile, however long a name server takes, and ends after about half a minute.
 */
export async function resolveName(name: string): Promise<readonly string[]> {
  const found = await Bun.dns.lookup(name, { backend: 'c-ares' });
  return found.map(({ address }) => address);
}
