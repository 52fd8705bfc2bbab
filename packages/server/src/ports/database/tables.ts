/** Facts that there is one of, such as the instance's id. */
export interface SettingsTable {
  name: string;
  value: string;
}

/** The setting that counts transactions. */
export const REVISION_SETTING = 'revision';

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

/** The newest messages of the lobby, those together that were written together. */
export interface MessageGroupsTable {
  /** With leading zeros to 39 digits, so that texts have the order of their numbers. */
  first_id: string;
  last_id: string;
  /** Messages are counted from 1 in the order of dispatch; this is the number of the group's last one. */
  last_number: number;
  newest_ms: number;
  /** A JSON array of the messages as they are answered, with null in the place of one that was removed. */
  messages: string;
}

/** Every table, by its name. */
export interface Tables {
  settings: SettingsTable;
  contents: ContentsTable;
  discarded_blobs: DiscardedBlobsTable;
  uploads: UploadsTable;
  statics: StaticsTable;
  message_groups: MessageGroupsTable;
}
