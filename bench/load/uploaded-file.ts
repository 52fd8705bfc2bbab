/** Uploads a file to the file service at `port`, and resolves with its path. */
export async function upload(port: number, content: Uint8Array): Promise<string> {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(content)]), 'picture.bin');
  const response = await fetch(`http://127.0.0.1:${port}/attachments`, {
    method: 'POST',
    body: form,
  });
  const data: unknown = await response.json();
  const id = typeof data === 'object' && data !== null ? Reflect.get(data, 'id') : undefined;
  if (typeof id !== 'string') throw new Error(`the upload failed: ${JSON.stringify(data)}`);
  return `/attachments/${id}`;
}
