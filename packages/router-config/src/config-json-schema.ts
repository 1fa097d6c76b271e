import type { JsonSchema } from './json-schema.ts';
import { routerFile } from './router-file.ts';

/** The JSON Schema of `router.yaml`, for editors. It holds what the reader takes, in the current places. */
export const configJsonSchema: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: "The configuration of Meridian's gateway: router.yaml",
  ...routerFile.schema,
};
