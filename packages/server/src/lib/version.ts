import server from '../../package.json' with { type: 'json' };

/** Hearth's own version. */
export const HEARTH_VERSION: string = server.version;
