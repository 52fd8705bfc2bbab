import { z } from 'zod';

/** What `GET /openapi.json` answers; the OpenAPI specification describes the rest. Ours. */
export const openApiSchema = z.looseObject({
  openapi: z.string(),
  info: z.looseObject({ title: z.string(), version: z.string() }),
  paths: z.record(z.string(), z.looseObject({})),
});
