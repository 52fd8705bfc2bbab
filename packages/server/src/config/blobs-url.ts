export interface BlobsAddress {
  readonly bucket: string;
  readonly prefix: string;
  readonly endpoint: string | undefined;
  readonly region: string | undefined;
}
export function parseBlobsUrl(text: string): BlobsAddress | string {
  const url = URL.parse(text);
  if (url === null || url.protocol !== 's3:') return 'no s3 address';
  const { searchParams: q } = url;
  return {
    bucket: url.hostname,
    prefix: url.pathname.slice(1),
    endpoint: q.get('endpoint') ?? undefined,
    region: q.get('region') ?? undefined,
  };
}
