/** The schemas of everything on the wire, for `rest.request` and for programs that parse what they get themselves. */
export * from '@hearth/protocol/schemas';
