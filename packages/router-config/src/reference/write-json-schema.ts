// Writes router-config.schema.json beside this package's package.json: `node
// packages/router-config/src/reference/write-json-schema.ts`.
import { writeFileSync } from 'node:fs';

import { configJsonSchema } from './config-json-schema.ts';

writeFileSync(
  new URL('../../router-config.schema.json', import.meta.url),
  `${JSON.stringify(configJsonSchema, null, 2)}\n`,
);
