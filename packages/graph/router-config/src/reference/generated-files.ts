import type { JsonSchema } from '../declaration/json-schema.ts';
import { routerFile } from '../sections/router-file.ts';
import { differencesPage } from './differences-page.ts';
import { referencePage } from './reference-page.ts';

const { limits, ...sections } = routerFile.schema.properties ?? {};
const { subgraph: _ofSubgraphs, ...limitsOfRequests } = limits?.properties ?? {};

/** The JSON Schema of `router.yaml`, for editors. It has the keys that the reader takes, in their current places. */
const configJsonSchema: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: "The configuration of Meridian's gateway: router.yaml",
  ...routerFile.schema,
  properties: {
    ...sections,
    // Limits on requests may be in either place.
    limits: {
      ...limits,
      properties: {
        ...limits?.properties,
        router: { type: 'object', properties: limitsOfRequests, additionalProperties: false },
      },
    },
  },
};

/** The files that are made from the declarations of keys, by their paths in the repository. */
export const generatedFiles: Readonly<Record<string, () => string>> = {
  'docs/router-yaml.md': referencePage,
  'docs/differences-from-apollo-router.md': differencesPage,
  'packages/graph/router-config/router-config.schema.json': () => JSON.stringify(configJsonSchema, null, 2),
};
