import { compose } from './compose.ts';

/** A supergraph that cannot be run, and the line that says why. */
export interface UnrunnableSupergraph {
  readonly sdl: string;
  readonly line: RegExp;
}

const plain = composed({ one: 'type Query { a: Int }' });
const connectors = /^Cannot load the supergraph: connectors are not supported; write a small subgraph/u;

/** By what they have. */
export const unrunnableSupergraphs: Readonly<Record<string, UnrunnableSupergraph>> = {
  'linked connectors': {
    sdl: plain.replace(
      'schema\n',
      'schema\n  @link(url: "https://specs.apollo.dev/connect/v0.2", for: EXECUTION)\n',
    ),
    line: connectors,
  },
  'connectors of a preview, which its composition does not link': {
    sdl: plain.replace(
      'a: Int',
      'a: Int @join__directive(graphs: [ONE], name: "connect", args: {http: {GET: "http://one/a"}, selection: "a"})',
    ),
    line: connectors,
  },
  'connectors of a preview under another name': {
    sdl: plain.replace(
      'schema\n',
      'schema\n  @join__directive(graphs: [ONE], name: "link", args: {url: "https://specs.apollo.dev/connect/v0.1", import: [{name: "@connect", as: "@rest"}]})\n',
    ),
    line: connectors,
  },
  'a @requires that needs one field with two lists of arguments': {
    sdl: composed({
      one: `
        type Query { a: P }
        type P @key(fields: "id") { id: ID!  size(unit: Int): Int }
      `,
      other: `
        type P @key(fields: "id") {
          id: ID!
          size(unit: Int): Int @external
          fee: Int @requires(fields: "size(unit: 1) size(unit: 2)")
        }
      `,
    }),
    line: /^Cannot load the supergraph: @requires of P\.fee needs "size" with different arguments at once/u,
  },
  'a subgraph with an empty URL': {
    sdl: plain.replace('url: "http://one"', 'url: ""'),
    line: /^Cannot load the supergraph: the subgraph "one" has no http\(s\) or unix URL; .*override_subgraph_url/u,
  },
  'a subgraph with a URL of another scheme': {
    sdl: plain.replace('url: "http://one"', 'url: "ftp://one"'),
    line: /^Cannot load the supergraph: the subgraph "one" has no http\(s\) or unix URL/u,
  },
  'a root type that no subgraph has': {
    sdl: plain.replace(/type Query\s+@join__type\(graph: ONE\)/u, 'type Query'),
    line: /^Cannot load the supergraph: .*@join__type/u,
  },
};

function composed(subgraphs: Readonly<Record<string, string>>): string {
  return compose(
    Object.entries(subgraphs).map(([name, sdl]) => ({
      name,
      routingUrl: `http://${name}`,
      sdl: `extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@external", "@requires", "@shareable"])\n${sdl}`,
    })),
  );
}
