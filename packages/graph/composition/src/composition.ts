import { Source } from 'graphql';
import type { ASTNode, Token } from 'graphql';

/** A place in a subgraph's schema; lines and columns count from 1. */
export interface SchemaLocation {
  readonly subgraph: string;
  readonly start: SchemaPoint;
  readonly end: SchemaPoint;
}

export interface SchemaPoint {
  readonly line: number;
  readonly column: number;
}

/** An issue of composition: an error or a hint. */
export interface CompositionIssue {
  /** Apollo's code, for example `INVALID_FIELD_SHARING`. */
  readonly code: string;
  readonly message: string;
  readonly locations: readonly SchemaLocation[];
  /** False for a hint that only informs. */
  readonly isWarning?: boolean;
}

/** The result of composing: a supergraph, or errors. */
export type Composition = ComposedSupergraph | FailedComposition;

export interface ComposedSupergraph {
  readonly supergraphSdl: string;
  readonly hints: readonly CompositionIssue[];
  readonly errors?: undefined;
}

export interface FailedComposition {
  readonly errors: readonly CompositionIssue[];
  readonly supergraphSdl?: undefined;
  readonly hints?: undefined;
}

/**
 * The name that graphql-js gives to an unnamed text. Composition prints and parses some schemas again, without a name.
 */
const unnamedSource = new Source('').name;

/** The locations of nodes from texts that are named after their subgraph. */
export function schemaLocations(nodes: readonly ASTNode[] | undefined): SchemaLocation[] {
  return (nodes ?? []).flatMap((node) => {
    const { loc } = node;
    if (loc === undefined || loc.source.name === unnamedSource) {
      return [];
    }
    // A description is part of a definition's node, but readers look for the error at the definition.
    const description = 'description' in node ? node.description?.loc : undefined;
    const start = description?.endToken.next ?? loc.startToken;
    return [{ subgraph: loc.source.name, start: pointOf(start), end: pointOf(loc.endToken) }];
  });
}

function pointOf({ line, column }: Token): SchemaPoint {
  return { line, column };
}
