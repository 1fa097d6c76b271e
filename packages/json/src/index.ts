export { DecimalNumber, type ExactJson, type ExactJsonObject } from './parse/exact-json.ts';
export { ExactJsonError, type ExactJsonErrorCode } from './parse/exact-json-error.ts';
export { parseExactJson } from './parse/parse-exact-json.ts';
export { ignored } from './schema/ignored.ts';
export { decimalInt64, int64, type Int64Options } from './schema/int64.ts';
export { type JsonObject, type JsonValue, writeJson } from './schema/json-value.ts';
export { array } from './schema/array.ts';
export { nullable } from './schema/nullable.ts';
export { type Members, object, type ObjectOf, optional, type OptionalSchema } from './schema/object.ts';
export { oneOf } from './schema/one-of.ts';
export {
  type Annotations,
  named,
  type ReadableSchema,
  transform,
  type Reference,
  schemaOf,
  type Schema,
  type ValueOf,
} from './schema/schema.ts';
export { SchemaError } from './schema/schema-error.ts';
export { text, type TextOptions } from './schema/text.ts';
