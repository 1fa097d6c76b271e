import { Ajv2020 } from 'ajv/dist/2020.js';
import { default as addFormats } from 'ajv-formats';

/** Checks a value by the schema at a path of names in a document: one line for each fault. */
export type SchemaValidator = (path: readonly string[], value: unknown) => string[];

export function createSchemaValidator(document: unknown): SchemaValidator {
  // Not strict, because the document has members that JSON Schema does not know.
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(Object(document), 'openapi');
  return (path, value) => {
    const pointer = path.map((name) => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1')));
    const validate = ajv.getSchema(`openapi#/${pointer.join('/')}`);
    if (validate === undefined) {
      throw new Error(`the document has no schema at /${path.join('/')}`);
    }
    if (validate(value) === true) {
      return [];
    }
    return (validate.errors ?? []).map(({ instancePath, message = 'is wrong' }) =>
      `${instancePath} ${message}`.trim(),
    );
  };
}
