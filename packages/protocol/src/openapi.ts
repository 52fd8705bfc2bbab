import { z } from 'zod';

/** The answer to `GET /openapi.json`; the OpenAPI specification describes the rest. Ours. */
export const openApiSchema = z.looseObject({
  openapi: z.string(),
  info: z.looseObject({ title: z.string(), version: z.string() }),
  paths: z.record(z.string(), z.looseObject({})),
});
