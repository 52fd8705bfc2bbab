import type { Load, Turn } from '../compare.ts';
import { ownCpuSeconds } from './own-cpu.ts';
import { within } from './within.ts';

const BOUNDARY = 'hearth-bench-boundary';
const HEAD = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="file.bin"\r\nContent-Type: application/octet-stream\r\n\r\n`;
const TAIL = Buffer.from(`\r\n--${BOUNDARY}--\r\n`);
const OK = 'HTTP/1.1 200 ';

/** An upload that is slower has stopped. */
const LEAST_BYTES_A_MILLISECOND = 1_000;

/** What is sent, to 127.0.0.1. */
export interface FileUpload {
  readonly port: number;
  readonly path: string;
  readonly sizeBytes: number;
  /** What the file is made of, again and again; small enough for the processor's cache, so that the load costs little. */
  readonly block: Uint8Array;
}

interface Sending {
  readonly upload: FileUpload;
  /** What is being written, and how much of it the system has taken. */
  piece: Uint8Array;
  pieceBytes: number;
  fileBytesLeft: number;
  isTailSent: boolean;
  answer: string;
  readonly end: PromiseWithResolvers<void>;
}

type Connection = Bun.Socket<Sending>;

/**
 * One upload after the other; an operation is a megabyte, and a turn is one upload at least. The file is the same each
 * time, which saves an instance nothing: it takes the file whole and puts it in place of the one that it has. Else the
 * page cache would grow by it, and memory that a virtual machine has not used before is over ten times as slow.
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
 * Uploads a file in a form, on a connection of its own, and resolves when it is answered. The connection is a socket
 * without an HTTP client on it, so that the load costs less than what is measured. An answer other than 200 is an error,
 * and so is none in time.
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

/** Writes until the system takes no more, which it tells with a drain when it does again. */
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

/** The server closes the connection when it has answered. */
function takeEnd({ data: sending }: Connection): void {
  if (sending.answer.startsWith(OK)) sending.end.resolve();
  else sending.end.reject(new Error(`not a 200: ${sending.answer}`));
}
