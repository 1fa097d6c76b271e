/** Facts about a key that JSON Schema has no word for. */
export interface KeyFacts {
  /** True if Apollo Router needs a GraphOS plan for it, or for the keys below it. */
  readonly paid?: true;
  /** When the key is accepted without effect. */
  readonly noEffect?: 'always' | 'production';
  /** Its names in earlier versions of Apollo Router: the start suggests the current one. */
  readonly formerly?: readonly EarlierName[];
  /** Its names in other versions of Apollo Router, by the first version that has them. Each is as good as this one. */
  readonly since?: Readonly<Record<string, string>>;
}

/**
 * A name in the same section, a path from the root, or the empty name for a value in place of the section; then the
 * value in its current notation, or undefined for one that is not of the earlier form.
 */
export type EarlierName = string | readonly [name: string, as: (value: unknown) => unknown];

/** Members of a schema under this symbol are not part of the written JSON Schema. */
export const facts: unique symbol = Symbol('facts of the key');

/** The part of JSON Schema (2020-12) that the file needs, and the facts of the declared key. */
export interface JsonSchema {
  readonly [facts]?: KeyFacts;
  readonly $schema?: string;
  readonly title?: string;
  /** The note on the key. */
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
}

/** The schema of a variable in the place of a value, such as `${env.PORT:-4000}`. */
export const expansion: JsonSchema = { type: 'string', pattern: String.raw`\$\{(env|file)\.` };

/** The schema of a value that may also be written as a variable. */
export function orExpansion(schema: JsonSchema): JsonSchema {
  return { anyOf: [schema, expansion] };
}

/** A part of a schema; with alternatives, of the first one that has it. */
export function partOf<Name extends keyof JsonSchema>(
  schema: JsonSchema,
  name: Name,
): JsonSchema[Name] | undefined {
  return schema[name] ?? schema.anyOf?.map((alternative) => partOf(alternative, name)).find(Boolean);
}

/** The schema of the members of a map whose names the operator chooses; undefined for anything else. */
export function namedMembers(schema: JsonSchema): JsonSchema | undefined {
  const named = partOf(schema, 'additionalProperties');
  return typeof named === 'object' ? named : undefined;
}

/** The schema of a member of a map, or of an item of a list; undefined where there is none. */
export function memberOf(schema: JsonSchema, key: string | number): JsonSchema | undefined {
  if (typeof key === 'number') {
    return partOf(schema, 'items');
  }
  const properties = partOf(schema, 'properties') ?? {};
  // A file may have keys such as `constructor`, which every object has.
  return Object.hasOwn(properties, key) ? properties[key] : namedMembers(schema);
}
