import type { FileData, InstanceInfo } from '@hearth/protocol';
import { fileDataSchema, instanceInfoSchema } from '@hearth/protocol/schemas';
import { connect } from 'node:net';

/** Reads the information of an instance. `headers` may be those of a proxy. */
export async function readInfo(rest: string, headers = {}): Promise<InstanceInfo> {
  const answer = await fetch(rest, { headers });
  if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
  return instanceInfoSchema.parse(await answer.json());
}

/** A POST of a message. */
export function messageRequest(rest: string, content: string, author = 'ada'): Request {
  return new Request(`${rest}/messages`, {
    method: 'POST',
    body: JSON.stringify({ author, content }),
    headers: { 'content-type': 'application/json' },
  });
}

/** An upload of an attachment. */
export function uploadRequest(files: string, content: string, name = 'a.txt'): Request {
  const body = new FormData();
  body.set('file', new File([content], name));
  return new Request(`${files}/attachments`, { method: 'POST', body });
}

/** Uploads an attachment and resolves with its data. */
export async function upload(files: string, content: string, name?: string): Promise<FileData> {
  return readFileData(await fetch(uploadRequest(files, content, name)));
}

/** Parses the answer to a successful upload. */
export async function readFileData(answer: Response): Promise<FileData> {
  if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`);
  return fileDataSchema.parse(await answer.json());
}

/** Requests `url` and resolves with the status and the text. */
export async function get(url: string): Promise<{ status: number; text: string }> {
  const answer = await fetch(url);
  return { status: answer.status, text: await answer.text() };
}

/** Returns whether nothing listens at the host and port of `url`. */
export function isRefused(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on('connect', () => {
      socket.destroy();
      resolve(false);
    });
    socket.on('error', () => resolve(true));
  });
}
