import { createHash } from 'node:crypto';

import type { SubgraphInterceptor, SubgraphResponse } from '@meridian/executor';
import { SubgraphFailure } from '@meridian/executor';
import { isRecord } from '@meridian/settings/values';
import { LRUCache } from 'lru-cache';

/** A request in parts: without its text, and with it. */
interface HashedBody {
  readonly hashOnly: string;
  readonly both: string;
}

/** A longer response is not an error alone. */
const maxErrorLength = 5000;
const maxHashes = 1000;
const opening = '{"query":';

/**
 * Sends the hash of each operation, and its text too if the subgraph does not know the hash (APQ). A subgraph that does
 * not support them gets texts from then on. An operation that is not known was not run, so a mutation may be sent again.
 *
 * Apollo's protocol, "Automatic persisted queries".
 */
export function sendHashes<Run>(): SubgraphInterceptor<Run> {
  const hashes = new LRUCache<string, string>({ max: maxHashes });
  let isSupported = true;
  return async (request, next) => {
    const hashed = isSupported ? hashedBody(request.body, hashes) : undefined;
    if (hashed === undefined) {
      return await next(request);
    }
    const sent = await settled(next({ ...request, body: hashed.hashOnly }));
    const code = errorCode(sent);
    if (code === 'PERSISTED_QUERY_NOT_FOUND') {
      return await next({ ...request, body: hashed.both });
    }
    if (code === 'PERSISTED_QUERY_NOT_SUPPORTED') {
      isSupported = false;
      return await next(request);
    }
    if (sent instanceof Error) {
      throw sent;
    }
    return sent;
  };
}

/** Undefined for a body in another form. */
function hashedBody(body: string, hashes: LRUCache<string, string>): HashedBody | undefined {
  const end = body.startsWith(opening) ? endOfText(body, opening.length) : undefined;
  if (end === undefined) {
    return undefined;
  }
  const written = body.slice(opening.length, end);
  const hash = hashes.get(written) ?? hashOf(written);
  hashes.set(written, hash);
  const extensions = `{"extensions":{"persistedQuery":{"version":1,"sha256Hash":"${hash}"}}`;
  const rest = body.slice(end);
  return { hashOnly: `${extensions}${rest}`, both: `${extensions},"query":${written}${rest}` };
}

/** The index after a JSON string that begins at an index. */
function endOfText(json: string, start: number): number | undefined {
  for (let index = start + 1; index < json.length; index += 1) {
    const character = json[index];
    if (character === '\\') {
      index += 1;
    } else if (character === '"') {
      return index + 1;
    }
  }
  return undefined;
}

function hashOf(written: string): string {
  return createHash('sha256')
    .update(String(JSON.parse(written)))
    .digest('hex');
}

async function settled(response: Promise<SubgraphResponse>): Promise<SubgraphResponse | SubgraphFailure> {
  try {
    return await response;
  } catch (error) {
    if (error instanceof SubgraphFailure) {
      return error;
    }
    throw error;
  }
}

/** The code of a response about the hash. Servers send it with status 200, or with another. */
function errorCode(sent: SubgraphResponse | SubgraphFailure): string | undefined {
  const body = sent instanceof SubgraphFailure ? sent.body : sent.text;
  if (body === undefined || body.length > maxErrorLength) {
    return undefined;
  }
  const text = body.toString();
  return text.includes('PERSISTED_QUERY_NOT_') ? codeIn(text) : undefined;
}

function codeIn(text: string): string | undefined {
  try {
    const body: unknown = JSON.parse(text);
    const errors: unknown = isRecord(body) ? body['errors'] : undefined;
    const first: unknown = Array.isArray(errors) ? errors[0] : undefined;
    const extensions = isRecord(first) ? first['extensions'] : undefined;
    return isRecord(extensions) ? String(extensions['code']) : undefined;
  } catch {
    return undefined;
  }
}
