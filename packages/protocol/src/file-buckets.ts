/** The only bucket that accepts uploads (File service rule 1). */
export const ATTACHMENTS_BUCKET = 'attachments';

/** The bucket name under which static files are served (Endpoints: File service). */
export const STATIC_BUCKET = 'static';
