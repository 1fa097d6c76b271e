import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

import { variableOf } from './index.ts';
import type { ExternalSubgraph } from './index.ts';

import { checkout } from '../data-directory.ts';
import type { Screen } from '../screen/screen.ts';

/** The time that a subgraph elsewhere has to respond, before the screen says that it does not. */
const timeoutMs = 3000;

export interface NoteExternalOptions {
  readonly external: readonly ExternalSubgraph[];
  readonly environment: NodeJS.ProcessEnv;
  /** The file that the gateway reads. */
  readonly supergraphPath: string;
  readonly screen: Screen;
  readonly signal: AbortSignal;
}

/** Shows for each subgraph that runs elsewhere where that is, or which fields are null because it does not respond. */
export async function noteExternal({
  external,
  environment,
  screen,
  ...options
}: NoteExternalOptions): Promise<void> {
  await Promise.all(
    external.map(async ({ name, url: declared }) => {
      const variable = variableOf(name);
      const named = environment[variable] ?? '';
      const url = named === '' ? declared : named;
      const failure = await failureAt(url, options.signal);
      if (options.signal.aborted) {
        return;
      }
      if (failure === undefined) {
        screen.note(`${name} runs elsewhere, at ${url}`, 'good');
        return;
      }
      const fields = await fieldsOf(name, options.supergraphPath);
      screen.note(
        `${name}, which runs elsewhere, ${failure} at ${url}. Until it responds, its fields are null: ${fields.join(', ')}. For another address, set ${variable}`,
        'bad',
      );
    }),
  );
}

/** The predicate of a message; undefined for a subgraph that responds. */
async function failureAt(url: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    const { status } = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ __typename }' }),
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    // A subgraph may reject this request, as one without a token.
    return status === 200 || (status >= 400 && status < 500 && status !== 404)
      ? undefined
      : `responds with ${status}`;
  } catch {
    return 'does not respond';
  }
}

async function fieldsOf(name: string, supergraphPath: string): Promise<string[]> {
  // GraphQL's parser is slow to load, and needed only here.
  const { entryFieldsOf, readGraphTypes } = await import('@meridian/composition/graph-types');
  const supergraphSdl = await readFile(resolve(checkout, supergraphPath), 'utf8').catch(() => '');
  return supergraphSdl === '' ? [] : entryFieldsOf(readGraphTypes(supergraphSdl), name);
}
