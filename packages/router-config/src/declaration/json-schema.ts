/** The part of JSON Schema (2020-12) that the file needs. */
export interface JsonSchema {
  readonly $schema?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly minProperties?: number;
  readonly maxProperties?: number;
}

/** The schema of a value that may also be written as a variable, such as `${env.PORT:-4000}`. */
export function orExpansion(schema: JsonSchema): JsonSchema {
  return { anyOf: [schema, { type: 'string', pattern: String.raw`\$\{(env|file)\.` }] };
}
