/** The progress of an upload. */
export interface UploadProgress {
  readonly sentBytes: number;
  readonly totalBytes: number;
}

/** A form to post. */
export interface UploadRequest {
  readonly url: string;
  readonly file: Blob;
  readonly name: string;
  readonly spoiler: boolean;
  readonly strip: boolean;
  /** Headers to send: the token, if there is one. They must not be sent to another origin. */
  readonly headers: Readonly<Record<string, string>>;
  /** Ends the upload: nothing more is sent, and the promise rejects. */
  readonly signal: AbortSignal;
  /** Called whenever bytes were sent; counts those of the file, not of the form around it. */
  readonly onProgress: (progress: UploadProgress) => void;
}

/** The answer, with any status. */
export interface UploadAnswer {
  readonly status: number;
  /** Names of headers are case-insensitive; null if there is none. */
  readonly headers: { get(name: string): string | null };
  readonly text: string;
}

/** Posts a multipart form with `file`, and with `spoiler` and `strip` if they are true. Rejects only if no answer came. */
export type UploadTransport = (request: UploadRequest) => Promise<UploadAnswer>;
