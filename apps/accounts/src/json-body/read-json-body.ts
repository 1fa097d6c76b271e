import type { IncomingMessage } from 'node:http';

import { ExactJsonError, parseExactJson, type ExactJsonObject } from '@meridian/exact-json';
import { readBody, signalOf } from '@meridian/http';

import { malformedBody } from './body-members.ts';

/** Spec: Limits, "Request body size". */
const maxBytes = 1_048_576;

/** A body, as it came and as the JSON object that it is. */
export interface JsonBody {
  readonly bytes: Uint8Array;
  readonly members: ExactJsonObject;
}

/** Reads the body of a request as a JSON object. Throws `malformed-body`. */
export async function readJsonBody(request: IncomingMessage): Promise<JsonBody> {
  const bytes = await readBody(request, { maxBytes, signal: signalOf(request) });
  const members = parse(bytes);
  if (!(members instanceof Map)) throw malformedBody('it is not a JSON object');
  return { bytes, members };
}

function parse(bytes: Uint8Array): unknown {
  try {
    return parseExactJson(bytes);
  } catch (error) {
    if (error instanceof ExactJsonError) throw malformedBody(error.message);
    throw error;
  }
}
