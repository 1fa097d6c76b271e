import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { parseManifest } from '@meridian/manifest';

import type { Graph } from '../../src/changes/graph.ts';
import type { CheckInput } from '../../src/check-graphs.ts';
import { checkGraphs } from '../../src/check-graphs.ts';
import { readCodeOwners } from '../../src/read/code-owners.ts';
import type { ClientOperation } from '../../src/read/read-manifests.ts';
import type { CheckReport } from '../../src/report/report.ts';
import { readRules } from '../../src/rules/rules.ts';
import { composedGraph, plainInput } from './small-graph.ts';

const root = join(import.meta.dirname, '../../../../..');

/** The schemas of the repository's own subgraphs, by their names. */
const schemas: Readonly<Record<string, string>> = Object.fromEntries(
  globSync('apps/*/schema.graphql', { cwd: root }).map((file) => [
    basename(dirname(file)),
    readFileSync(join(root, file), 'utf8'),
  ]),
);

/** The operations of the repository's own manifest. */
export const listed: readonly ClientOperation[] = parseManifest(
  'persisted-queries.json',
  readFileSync(join(root, 'persisted-queries.json'), 'utf8'),
).map(({ id, name, text, clientName }) => ({
  id,
  name,
  text,
  clientName,
  client: 'storefront',
  versions: [],
}));

/** Changed schemas, by subgraph. */
export type Edits = Readonly<Record<string, Edit>>;

export type Edit = (sdl: string) => string;

/** An edit that replaces a text, which must be there. */
export function replacing(text: string | RegExp, replacement: string): Edit {
  return (sdl) => {
    const edited = sdl.replace(text, replacement);
    if (edited === sdl) {
      throw new Error(`${String(text)} is not in the schema`);
    }
    return edited;
  };
}

/** One edit after another. */
export function edits(...all: readonly Edit[]): Edit {
  return (sdl) => all.reduce((edited, edit) => edit(edited), sdl);
}

/** Removes a field that is written on one line, with the description before it. */
export function without(field: string): Edit {
  return replacing(new RegExp(` {2}"[^"]*"\\n {2}${field}:[^\\n]*\\n`, 'u'), '');
}

/** Moves `Product.averageRating` from reviews to users. */
export function movesRating(label?: string): Edits {
  const override = `@override(from: "reviews"${label === undefined ? '' : `, label: "${label}"`})`;
  const product = `type Product @key(fields: "id") { id: ID! averageRating: Float ${override} }`;
  return {
    users: edits(
      replacing('type Query {', `${product}\ntype Query {`),
      replacing('"@key", ', '"@key", "@override", '),
    ),
  };
}

/** Lets `Product.averageRating` require a field of another subgraph. */
export const requiresWeight: Edits = {
  reviews: edits(
    replacing('averageRating: Float ', 'averageRating: Float @requires(fields: "weightGrams") '),
    replacing(
      'type Product @key(fields: "id") {',
      'type Product @key(fields: "id") {\n  weightGrams: Int! @external',
    ),
    replacing('"@key", ', '"@key", "@requires", "@external", '),
  ),
};

/**
 * The graph of the repository with changed schemas.
 *
 * @throws {Error} where it does not compose, with the messages of composition
 */
export function graphWith(edits: Edits): Graph {
  const subgraphs = Object.entries(schemas).map(([name, sdl]) => ({
    name,
    routingUrl: `http://127.0.0.1/${name}`,
    file: `apps/${name}/schema.graphql`,
    sdl: edits[name]?.(sdl) ?? sdl,
  }));
  return composedGraph(subgraphs);
}

/** The graph of the repository as it is. */
export const shippedGraph = graphWith({});

export const shippedRules = readRules(readFileSync(join(root, 'schema-check.yaml'), 'utf8'));

/** Checks changed schemas of the repository, by its own manifest, owners and rules, but for the rules for schemas. */
export function checkEdits(edits: Edits, input: Partial<CheckInput> = {}): Promise<CheckReport> {
  return checkGraphs({
    ...plainInput,
    sides: input.sides ?? { before: shippedGraph, after: graphWith(edits) },
    listedBefore: listed,
    listedAfter: listed,
    rules: { ...shippedRules, lint: [] },
    ownersOf: readCodeOwners(readFileSync(join(root, '.github/CODEOWNERS'), 'utf8')),
    ...input,
  });
}
