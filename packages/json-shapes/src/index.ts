export { ignored } from './ignored.ts';
export { decimalInt64, int64, type Int64Options } from './int64.ts';
export { type JsonObject, type JsonValue, writeJson } from './json-value.ts';
export { listOf } from './list-of.ts';
export { nullable } from './nullable.ts';
export { type Members, object, type ObjectOf, optional, type OptionalShape } from './object.ts';
export { oneOf } from './one-of.ts';
export {
  type Annotations,
  named,
  type ReadableShape,
  readAs,
  type Refer,
  schemaOf,
  type Shape,
  type ValueOf,
} from './shape.ts';
export { ShapeError } from './shape-error.ts';
export { text, type TextOptions } from './text.ts';
