import { isRecord } from '@meridian/settings/values';

/** The manifest to write, with the operations that stay although they are gone from the client's source. */
export interface KeptManifest {
  readonly text: string;
  /** The names of the operations that are kept. */
  readonly kept: readonly string[];
  /** The entries of `retired` that match no operation of the previous manifest which could be kept. */
  readonly unmatched: readonly string[];
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
 * dropped. Apollo's clients look up an identifier by the operation's name, and the last entry of a name wins: the kept
 * operations come before the new one.
 */
export function keepOperations(
  text: string,
  { previous = '{}', released = previous, retired }: KeepOptions,
): KeptManifest {
  const manifest = parseManifest(text);
  const listed = operationsIn(manifest);
  const identifiers = new Set(listed.map(({ id }) => id));
  const releasedIdentifiers = new Set(operationsIn(parseManifest(released)).map(({ id }) => id));
  const former = operationsIn(parseManifest(previous)).filter(({ id }) => !identifiers.has(id));
  const unmatched = retired.filter((entry) => !former.some(({ id, name }) => id === entry || name === entry));
  const kept = former.filter(
    ({ id, name }) => releasedIdentifiers.has(id) && !retired.includes(id) && !retired.includes(name),
  );
  if (kept.length === 0) {
    return { text, kept: [], unmatched };
  }
  // The sort is stable: operations of one name stay in the order of their releases.
  const operations = [...kept, ...listed].toSorted(byName);
  return {
    text: `${JSON.stringify({ ...manifest, operations }, undefined, 2)}${text.endsWith('\n') ? '\n' : ''}`,
    kept: kept.map(({ name }) => name),
    unmatched,
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

function byName(one: Operation, other: Operation): number {
  return one.name === other.name ? 0 : one.name < other.name ? -1 : 1;
}
