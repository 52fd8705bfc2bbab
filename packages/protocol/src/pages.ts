/** The header in which an answer with one page of a list has the address of the next one (RFC 8288). Ours. */
export const LINK_HEADER = 'Link';
