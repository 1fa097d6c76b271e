import { Ajv } from 'ajv';
import type { ValidateFunction } from 'ajv';

/** A Kubernetes object as a chart renders it. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

/** The schemas of `kubernetes-schemas.json`. */
export interface KubernetesSchemas {
  readonly kinds: Readonly<Record<string, object>>;
  readonly definitions: Readonly<Record<string, object>>;
}

/**
 * Finds what a Kubernetes server would refuse in an object, unknown keys included; gives `<kind>/<name><place>
 * <message>` for each.
 */
export function createSchemaCheck({
  kinds,
  definitions,
}: KubernetesSchemas): (object: KubernetesObject) => string[] {
  const ajv = new Ajv({ allErrors: true, strict: false, validateFormats: false });
  const compiled = new Map<string, ValidateFunction>();
  return (object) => {
    const { apiVersion, kind, metadata } = object;
    const id = `${apiVersion}/${kind}`;
    const schema = kinds[id];
    if (schema === undefined) {
      return [`${kind}/${metadata.name} is of a kind without a schema: ${id}`];
    }
    const validate = compiled.get(id) ?? ajv.compile({ ...schema, definitions });
    compiled.set(id, validate);
    if (validate(object)) {
      return [];
    }
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) =>
        `${kind}/${metadata.name}${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  };
}
