import type { Load, Turn } from '../compare.ts';
import { ownCpuSeconds } from './own-cpu.ts';
import { within } from './within.ts';

const BOUNDARY = 'hearth-bench-boundary';
const HEAD = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="file.bin"\r\nContent-Type: application/octet-stream\r\n\r\n`;
const TAIL = Buffer.from(`\r\n--${BOUNDARY}--\r\n`);
const OK = 'HTTP/1.1 200 ';

/** An upload that takes longer than this has stopped. */
const LEAST_BYTES_A_MILLISECOND = 1_000;

/** The upload, to 127.0.0.1. */
export interface FileUpload {
  readonly port: number;
  readonly path: string;
  readonly sizeBytes: number;
  /** The piece that the file repeats. It fits into the processor's cache, so that the load costs little. */
  readonly block: Uint8Array;
}

interface Sending {
  readonly upload: FileUpload;
  /** The bytes that are being written, and how many of them the system has accepted. */
  piece: Uint8Array;
  pieceBytes: number;
  fileBytesLeft: number;
  isTailSent: boolean;
  answer: string;
  readonly end: PromiseWithResolvers<void>;
}

type Connection = Bun.Socket<Sending>;

/**
 * One upload after the other. An operation is a megabyte, and a turn has at least one upload. The file is the same each
 * time, which does not save the instance any work: it receives the whole file and replaces the one that it has. New files
 * would make the page cache grow, and memory that a virtual machine has not used before is over ten times as slow.
 */
export function uploadLoad(upload: FileUpload): Load {
  return {
    async prepare() {},
    async run(milliseconds): Promise<Turn> {
      const cpuBefore = ownCpuSeconds();
      const endsAt = performance.now() + milliseconds;
      let uploads = 0;
      do {
        await uploadFile(upload);
        uploads += 1;
      } while (performance.now() < endsAt);
      const operations = (uploads * upload.sizeBytes) / 1e6;
      return { operations, cpuSeconds: ownCpuSeconds() - cpuBefore };
    },
    async [Symbol.asyncDispose]() {},
  };
}

/**
 * Uploads a file in a form, on its own connection, and resolves when it is answered. The connection is a plain socket
 * without an HTTP client, so that the load costs less than the server. Throws if the answer is not a 200, or if none comes
 * in time.
 */
export async function uploadFile(upload: FileUpload): Promise<void> {
  const sending: Sending = {
    upload,
    piece: requestHead(upload),
    pieceBytes: 0,
    fileBytesLeft: upload.sizeBytes,
    isTailSent: false,
    answer: '',
    end: Promise.withResolvers(),
  };
  const connection = await Bun.connect<Sending>({
    hostname: '127.0.0.1',
    port: upload.port,
    data: sending,
    socket: {
      open: sendOn,
      drain: sendOn,
      data: ({ data }, chunk) => {
        data.answer += chunk.toString('latin1');
      },
      close: takeEnd,
      error: ({ data }, error) => data.end.reject(error),
    },
  });
  try {
    await within(upload.sizeBytes / LEAST_BYTES_A_MILLISECOND, sending.end.promise, () => {
      return `an answer, and ${sending.fileBytesLeft} bytes to send,`;
    });
  } finally {
    connection.terminate();
  }
}

function requestHead({ port, path, sizeBytes }: FileUpload): Uint8Array {
  const lines = [
    `POST ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    'Connection: close',
    `Content-Type: multipart/form-data; boundary=${BOUNDARY}`,
    `Content-Length: ${HEAD.length + sizeBytes + TAIL.length}`,
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${HEAD}`);
}

/** Writes until the system accepts no more. A drain event reports that it accepts bytes again. */
function sendOn(connection: Connection): void {
  const sending = connection.data;
  do {
    const { piece, pieceBytes } = sending;
    const taken = connection.write(piece, pieceBytes, piece.byteLength - pieceBytes);
    sending.pieceBytes += Math.max(taken, 0);
    if (sending.pieceBytes < piece.byteLength) return;
  } while (beginNextPiece(sending));
}

function beginNextPiece(sending: Sending): boolean {
  if (sending.isTailSent) return false;
  const { block } = sending.upload;
  const bytes = Math.min(sending.fileBytesLeft, block.byteLength);
  sending.isTailSent = bytes === 0;
  sending.piece = bytes === 0 ? TAIL : block.subarray(0, bytes);
  sending.pieceBytes = 0;
  sending.fileBytesLeft -= bytes;
  return true;
}

/** The server closes the connection after its answer. */
function takeEnd({ data: sending }: Connection): void {
  if (sending.answer.startsWith(OK)) sending.end.resolve();
  else sending.end.reject(new Error(`not a 200: ${sending.answer}`));
}
