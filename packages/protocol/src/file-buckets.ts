/** The only bucket that accepts uploads (File service rule 1). */
export const ATTACHMENTS_BUCKET = 'attachments';

/** The first segment of the addresses under which files are served to be shown in a page. Ours. */
export const MEDIA_PATH = 'media';

/** The bucket name under which static files are served (Endpoints: File service). */
export const STATIC_BUCKET = 'static';

/** The bucket of the archives that people ask for. Ours. */
export const EXPORTS_BUCKET = 'exports';

/** The path of archives at the file service. Ours. */
export const EXPORTS_PATH = `/${EXPORTS_BUCKET}`;
