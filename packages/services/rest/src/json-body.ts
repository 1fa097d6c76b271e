import type { IncomingMessage } from 'node:http';

import { ExactJsonError, parseExactJson, SchemaError } from '@meridian/json';
import type { ReadableSchema } from '@meridian/json';
import { contentTypeOf, readBody, signalOf } from '@meridian/http';
import { problem } from '@meridian/problem-details';

/** A body: its bytes and its value. */
export interface JsonBody<Value> {
  readonly bytes: Uint8Array;
  readonly value: Value;
}

/**
 * The schema of a request's body, by its `Content-Type`; the first schema without one.
 *
 * @param headers for the 415, such as `Accept-Patch`
 * @throws {Problem} `unsupported-media-type`
 */
export function bodySchemaOf<Value>(
  request: IncomingMessage,
  content: Readonly<Record<string, ReadableSchema<Value>>>,
  headers?: Readonly<Record<string, string>>,
): ReadableSchema<Value> {
  const mediaTypes = Object.keys(content);
  const schema = content[contentTypeOf(request, mediaTypes, headers) ?? mediaTypes[0] ?? ''];
  if (schema === undefined) {
    throw new Error('the content of a body has no media type');
  }
  return schema;
}

/** Spec: Limits, "Request body size". */
const maxBytes = 1_048_576;

/**
 * Reads the body of a request by its schema.
 *
 * @throws {Problem} `malformed-body`, with the place and the reason
 */
export async function readJsonBody<Value>(
  request: IncomingMessage,
  schema: ReadableSchema<Value>,
): Promise<JsonBody<Value>> {
  const bytes = await readBody(request, { maxBytes, signal: signalOf(request) });
  return { bytes, value: read(bytes, schema) };
}

/**
 * Reads the body of a request all of whose members are optional: without a body, none of them is given.
 *
 * @throws {Problem} `malformed-body`, with the place and the reason
 */
export async function readOptionalJsonBody<Value>(
  request: IncomingMessage,
  schema: ReadableSchema<Value>,
): Promise<JsonBody<Value>> {
  const bytes = await readBody(request, { maxBytes, signal: signalOf(request) });
  return { bytes, value: read(bytes.length === 0 ? emptyObject : bytes, schema) };
}

const emptyObject = Buffer.from('{}');

function read<Value>(bytes: Uint8Array, schema: ReadableSchema<Value>): Value {
  if (bytes.length === 0) {
    throw problem('malformed-body', 'Cannot read the body: it is empty.');
  }
  try {
    return schema.read(parseExactJson(bytes));
  } catch (error) {
    if (error instanceof ExactJsonError || error instanceof SchemaError) {
      throw problem('malformed-body', `Cannot read the body: ${error.message}.`);
    }
    throw error;
  }
}
