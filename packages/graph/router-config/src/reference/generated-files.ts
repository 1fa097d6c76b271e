import { configJsonSchema } from './config-json-schema.ts';
import { differencesPage } from './differences-page.ts';
import { referencePage } from './reference-page.ts';

/** The files that are made from the declarations of keys, by their paths in the repository. */
export const generatedFiles: Readonly<Record<string, () => string>> = {
  'docs/router-yaml.md': referencePage,
  'docs/differences-from-apollo-router.md': differencesPage,
  'packages/graph/router-config/router-config.schema.json': () => JSON.stringify(configJsonSchema, null, 2),
};
