/** How far an upload is. */
export interface UploadProgress {
  readonly sentBytes: number;
  readonly totalBytes: number;
}

/** A form to be posted. */
export interface UploadRequest {
  readonly url: string;
  readonly file: Blob;
  readonly name: string;
  readonly spoiler: boolean;
  /** Headers to send with it: the token, if there is one. They must not be sent to another origin. */
  readonly headers: Readonly<Record<string, string>>;
  /** Ends the upload: nothing more is sent, and the promise rejects. */
  readonly signal: AbortSignal;
  /** Told of the file's bytes, not of the form around them, whenever some have gone out. */
  readonly onProgress: (progress: UploadProgress) => void;
}

/** What came back, whatever its status. */
export interface UploadAnswer {
  readonly status: number;
  /** The headers' names are matched whatever their case; null where there is none. */
  readonly headers: { get(name: string): string | null };
  readonly text: string;
}

/** Posts a multipart form with `file`, and with `spoiler` where it is true. Rejects only where no answer came. */
export type UploadTransport = (request: UploadRequest) => Promise<UploadAnswer>;
