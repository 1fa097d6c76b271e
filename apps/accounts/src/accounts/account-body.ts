import type { IncomingMessage } from 'node:http';

import { ExactJsonError, parseExactJson } from '@meridian/exact-json';
import { contentTypeOf, readBody, signalOf } from '@meridian/http';

import { malformedBody } from './body-members.ts';
import {
  accountMediaTypes,
  accountRepresentations,
  type AccountInput,
  type AccountMediaType,
} from './representations.ts';

/** Spec: Limits, "Request body size". */
const maxBytes = 1_048_576;

/** The media type that the body is declared as; the default one when it is not declared. Throws `unsupported-media-type`. */
export function accountBodyType(request: IncomingMessage): AccountMediaType {
  return contentTypeOf(request, accountMediaTypes) ?? 'application/json';
}

/** Reads the body as that media type. Throws `malformed-body`. Spec: PUT, "Parse the body". */
export async function readAccountBody(
  request: IncomingMessage,
  mediaType: AccountMediaType,
): Promise<AccountInput> {
  const bytes = await readBody(request, { maxBytes, signal: signalOf(request) });
  const body = parseBody(bytes);
  if (!(body instanceof Map)) throw malformedBody('it is not a JSON object');
  return accountRepresentations[mediaType].read(body);
}

function parseBody(bytes: Uint8Array): unknown {
  try {
    return parseExactJson(bytes);
  } catch (error) {
    if (error instanceof ExactJsonError) throw malformedBody(error.message);
    throw error;
  }
}
