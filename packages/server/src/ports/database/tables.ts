/** Facts that there is one of, such as the instance's id. */
export interface SettingsTable {
  name: string;
  value: string;
}

/** Contents, each kept once a bucket however often it was uploaded. */
export interface ContentsTable {
  blob_key: string;
  bucket: string;
  sha256: string;
  size_bytes: number;
  content_type: string;
  /** FileMetadata as JSON. */
  metadata: string;
}

/** Blobs that no content refers to and that are still to be removed. */
export interface DiscardedBlobsTable {
  blob_key: string;
}

/** Uploaded files. */
export interface UploadsTable {
  id: string;
  bucket: string;
  blob_key: string;
  name: string;
  spoiler: number;
  uploaded_at_ms: number;
}

/** The owner's static files. */
export interface StaticsTable {
  name: string;
  blob_key: string;
  content_type: string;
  added_at_ms: number;
}

/** Every table, by its name. */
export interface Tables {
  settings: SettingsTable;
  contents: ContentsTable;
  discarded_blobs: DiscardedBlobsTable;
  uploads: UploadsTable;
  statics: StaticsTable;
}
