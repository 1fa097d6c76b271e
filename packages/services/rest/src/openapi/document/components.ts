import type { JsonObject, ReadableSchema, Reference } from '@meridian/json';

/** The definitions that a document refers to from many places. */
export interface Components {
  /** Adds a named schema, and returns the reference to it. */
  readonly referToSchema: Reference;
  /** Adds a named response, and returns the reference to it. */
  readonly referToResponse: (name: string, response: JsonObject) => JsonObject;
  /** The components object of OpenAPI. */
  readonly written: () => { readonly schemas: JsonObject; readonly responses: JsonObject };
}

export function createComponents(): Components {
  const named = new Map<string, ReadableSchema<unknown>>();
  const schemas = new Map<string, JsonObject>();
  const responses = new Map<string, JsonObject>();

  const referToSchema: Reference = (name, schema) => {
    const known = named.get(name);
    if (known === undefined) {
      named.set(name, schema);
      schemas.set(name, schema.jsonSchema(referToSchema));
    } else if (known !== schema) {
      throw new Error(`two schemas have the name ${name}`);
    }
    return { $ref: `#/components/schemas/${name}` };
  };

  return {
    referToSchema,
    referToResponse(name, response) {
      responses.set(name, response);
      return { $ref: `#/components/responses/${name}` };
    },
    written: () => ({ schemas: sorted(schemas), responses: sorted(responses) }),
  };
}

function sorted(entries: ReadonlyMap<string, JsonObject>): JsonObject {
  return Object.fromEntries([...entries].toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
