import { isRecord } from '@meridian/values';

/** The manifest to write, with the operations that stay although they are gone from the client's source. */
export interface KeptManifest {
  readonly text: string;
  /** The names of the operations that are kept. */
  readonly kept: readonly string[];
}

export interface KeepOptions {
  /** The text of the previous manifest; undefined without one. */
  readonly previous: string | undefined;
  /** The text of the manifest that released clients may use; undefined when it is not available. */
  readonly released: string | undefined;
  /** The names or identifiers of operations to retire. */
  readonly retired: readonly string[];
}

/**
 * Adds the operations of the previous manifest that the new one lacks: released clients still send their identifiers.
 * They stay until they are retired. An operation that was never released, because its text was edited again, is
 * dropped.
 */
export function keepOperations(
  text: string,
  { previous = '{}', released = previous, retired }: KeepOptions,
): KeptManifest {
  const manifest = parseManifest(text);
  const listed = operationsIn(manifest);
  const identifiers = new Set(listed.map(({ id }) => id));
  const releasedIdentifiers = new Set(operationsIn(parseManifest(released)).map(({ id }) => id));
  const kept = operationsIn(parseManifest(previous)).filter(
    ({ id, name }) =>
      !identifiers.has(id) && releasedIdentifiers.has(id) && !retired.includes(id) && !retired.includes(name),
  );
  if (kept.length === 0) {
    return { text, kept: [] };
  }
  const operations = [...listed, ...kept].toSorted(byNameAndIdentifier);
  return {
    text: `${JSON.stringify({ ...manifest, operations }, undefined, 2)}${text.endsWith('\n') ? '\n' : ''}`,
    kept: kept.map(({ name }) => name),
  };
}

/** Names the app of a manifest in it. */
export function withApp(
  text: string,
  app: { readonly name: string; readonly versions: readonly string[] },
): string {
  const { operations, ...head } = parseManifest(text);
  return `${JSON.stringify({ ...head, app, operations }, undefined, 2)}${text.endsWith('\n') ? '\n' : ''}`;
}

type Operation = Readonly<Record<string, unknown>> & { readonly id: string; readonly name: string };

function parseManifest(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch {
    // A file that is not a manifest is replaced.
    return {};
  }
}

function operationsIn({ operations }: Readonly<Record<string, unknown>>): readonly Operation[] {
  return Array.isArray(operations) ? operations.filter(isOperation) : [];
}

function isOperation(value: unknown): value is Operation {
  return isRecord(value) && typeof value['id'] === 'string' && typeof value['name'] === 'string';
}

function byNameAndIdentifier(one: Operation, other: Operation): number {
  const [left, right] = [one, other].map(({ name, id }) => `${name} ${id}`);
  return (left ?? '') < (right ?? '') ? -1 : 1;
}
