import { dirname, relative, resolve } from 'node:path';

import { CommandError } from '@meridian/settings/command-line';
import { isRecord } from '@meridian/settings/values';

import { readEntries } from '../supergraph-config.ts';

/** A subgraph, and where its schema is. */
export interface SubgraphSource {
  readonly name: string;
  /** Where a gateway reaches the subgraph. */
  readonly routingUrl: string;
  readonly schema: SchemaSource;
}

/** A schema: in a file, as a text, or of the running subgraph at a URL. */
export type SchemaSource =
  | { readonly file: string }
  | { readonly sdl: string }
  | { readonly url: string; readonly headers: Readonly<Record<string, string>> };

export interface ParseSourcesOptions {
  /** The name of the file, to which the schema files are relative. */
  readonly file: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Parses a supergraph.yaml as Rover has it: where each subgraph and its schema are. `${env.NAME}` is a variable.
 *
 * @throws {CommandError} with every fault of the file
 */
export function parseSources(text: string, { file, env }: ParseSourcesOptions): readonly SubgraphSource[] {
  const { version, entries } = readEntries(file, () => text);
  const faults: string[] = [];
  if (!isOurVersion(version)) {
    faults.push(
      `federation_version is ${String(version)}; this composes at =${federationVersion}, which 2 means too`,
    );
  }

  const sources = entries.flatMap(([name, entry]) => {
    try {
      return [sourceOf(name, expand(entry, env), dirname(file))];
    } catch (error) {
      faults.push(`subgraph ${name}: ${error instanceof Error ? error.message : String(error)}`);
      return [];
    }
  });
  if (faults.length > 0) {
    throw new CommandError(faults.map((fault) => `Cannot read ${file}: ${fault}`).join('\n'));
  }
  return sources;
}

function isOurVersion(version: unknown): boolean {
  return [undefined, null, 2, '2', `=${federationVersion}`].some((accepted) => accepted === version);
}

/** @throws {Error} when the entry says not where the subgraph and its schema are */
function sourceOf(name: string, entry: unknown, folder: string): SubgraphSource {
  const { routing_url: routingUrl, schema } = isRecord(entry) ? entry : {};
  const source = schemaSource(schema, folder);
  const url = routingUrl ?? ('url' in source ? source.url : undefined);
  if (typeof url !== 'string') {
    throw new Error('routing_url is missing');
  }
  return { name, routingUrl: url, schema: source };
}

function schemaSource(schema: unknown, folder: string): SchemaSource {
  const {
    file,
    sdl,
    subgraph_url: url,
    introspection_headers: headers,
    graphref,
  } = isRecord(schema) ? schema : {};
  if (typeof file === 'string') {
    return { file: relative('.', resolve(folder, file)) };
  }
  if (typeof sdl === 'string') {
    return { sdl };
  }
  if (typeof url === 'string') {
    if (!/^https?:$/u.test(URL.parse(url)?.protocol ?? '')) {
      throw new Error(`schema.subgraph_url is ${JSON.stringify(url)}; it takes an http:// or https:// URL`);
    }
    return { url, headers: headersOf(headers) };
  }
  throw new Error(
    graphref === undefined
      ? 'schema takes one of file, subgraph_url and sdl'
      : 'schema.graphref is a schema of GraphOS: save it with `rover subgraph fetch`, and name the file',
  );
}

function headersOf(headers: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(isRecord(headers) ? headers : {}).map(([name, value]) => [name, String(value)]),
  );
}

/** The value with the variables in its texts. */
function expand(value: unknown, env: ParseSourcesOptions['env']): unknown {
  if (typeof value === 'string') {
    return value.replaceAll(/\$\{env\.(\w+)(?::-([^{}]*))?\}/gu, (_all, name: string, otherwise?: string) => {
      const text = env[name] ?? otherwise;
      if (text === undefined) {
        throw new Error(`the variable ${name} is not set`);
      }
      return text;
    });
  }
  return isRecord(value)
    ? Object.fromEntries(Object.entries(value).map(([key, member]) => [key, expand(member, env)]))
    : value;
}

/** The version of Federation that `@apollo/composition` composes at. A bundled program cannot read its package.json. */
export const federationVersion = '2.14.4';
