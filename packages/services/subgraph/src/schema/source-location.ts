import { getLocation } from 'graphql';
import type { ASTNode, Source } from 'graphql';

/** The place of a node in a parsed file: `file:line:column`. */
export function sourceLocationOf(source: Source, node: ASTNode): string {
  const { line, column } = getLocation(source, node.loc?.start ?? 0);
  return `${source.name}:${line}:${column}`;
}
