import { readFile } from 'node:fs/promises';

import { CommandError } from '@meridian/settings/command-line';
import { isRecord } from '@meridian/settings/values';

import type { SubgraphSchema } from '../compose-supergraph.ts';
import type { SchemaSource, SubgraphSource } from './parse-sources.ts';

/**
 * Loads a subgraph's schema from its source.
 *
 * @throws {CommandError} which names the subgraph and the reason
 */
export async function loadSubgraph({ name, routingUrl, schema }: SubgraphSource): Promise<SubgraphSchema> {
  try {
    return { name, routingUrl, sdl: await loadSchema(schema) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError(`subgraph ${name}: ${reason}`, { cause: error });
  }
}

async function loadSchema(schema: SchemaSource): Promise<string> {
  if ('sdl' in schema) {
    return schema.sdl;
  }
  return 'file' in schema
    ? await readFile(schema.file, 'utf8')
    : await introspectSubgraph(schema.url, schema.headers);
}

/** The longest wait for a subgraph's schema, in milliseconds. */
const timeoutMs = 10_000;

/**
 * Asks a running subgraph for its schema, as Federation has it: `{ _service { sdl } }`.
 *
 * @throws {Error} with a message that says why there is none
 */
async function introspectSubgraph(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  const response = await send(url, headers);
  const text = await response.text();
  const { data, errors } = membersOf(text);
  const service = isRecord(data) ? data['_service'] : undefined;
  const sdl = isRecord(service) ? service['sdl'] : undefined;
  if (typeof sdl === 'string' && sdl !== '') {
    return sdl;
  }
  const [error] = Array.isArray(errors) ? errors : [];
  if (isRecord(error)) {
    throw new Error(`${url} responds with the error ${JSON.stringify(error['message'])}`);
  }
  throw new Error(
    response.ok
      ? `the response of ${url} has no _service.sdl: is this the URL of a federated subgraph?`
      : `${url} responds with status ${response.status}`,
  );
}

async function send(url: string, headers: Readonly<Record<string, string>>): Promise<Response> {
  try {
    return await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json', ...headers },
      body: JSON.stringify({ query: '{ _service { sdl } }' }),
      signal: AbortSignal.timeout(timeoutMs),
    });
  } catch (error) {
    throw new Error(`no response from ${url}: ${reasonOf(error)}`, { cause: error });
  }
}

/** The members of a JSON object; none of any other text. */
function membersOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

/** The reason that `fetch` has in the cause of its error; where several addresses were tried, that is only a code. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) {
    return String(error);
  }
  const { cause } = error;
  if (!(cause instanceof Error)) {
    return error.message;
  }
  return cause.message !== '' || !('code' in cause) ? cause.message : String(cause.code);
}
