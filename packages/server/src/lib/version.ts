import server from '../../package.json' with { type: 'json' };

export const HEARTH_VERSION: string = server.version;
