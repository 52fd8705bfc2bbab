const DOMAIN = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/;

/** A mail domain as it is stored, from what somebody typed, such as `@Example.org`; undefined if it is none. */
export function parseMailDomain(text: string): string | undefined {
  const domain = text.trim().toLowerCase().replace(/^@/, '').replace(/\.$/, '');
  return domain.length <= 253 && DOMAIN.test(domain) && !/^[\d.]+$/.test(domain)
    ? domain
    : undefined;
}

/** The domain of an address and those above it: of `ada@mail.example.org`, `mail.example.org`, `example.org` and `org`. */
export function domainsOf(email: string): readonly string[] {
  const labels = email
    .slice(email.lastIndexOf('@') + 1)
    .toLowerCase()
    .split('.');
  return labels.map((_, at) => labels.slice(at).join('.'));
}
