import { findManifests, operationKey, queryHash } from '@meridian/manifest';
import { counted } from '@meridian/settings/command-line';
import type { Logger, Metrics } from '@meridian/telemetry';
import { Counter } from 'prom-client';

import type { SerialQueue } from '../concurrency/serial-queue.ts';
import type { ReloadRules } from '../reload/reloadable.ts';
import { createReloadable } from '../reload/reloadable.ts';
import type { IdentifierRegistry } from '../usage/identifier-registry.ts';
import type { RegisteredOperation } from '../usage/identifier-store.ts';
import { identifierKey } from '../usage/identifier-store.ts';
import { fingerprintFiles } from '../reload/watch-files.ts';
import { assembleManifest } from './assemble-manifest.ts';
import type { AssembledManifest } from './assemble-manifest.ts';
import type { Manifest, ManifestOperation } from './manifest.ts';
import { readFiles } from './read-files.ts';
import type { ReadFiles } from './read-files.ts';
import { describeUse } from '../usage/describe-use.ts';

export interface ManifestSourceOptions extends ReloadRules {
  /** Files, folders and globs. */
  readonly paths: readonly string[];
  /** Of several; undefined where the process has one. */
  readonly graph: string | undefined;
  /** True when a changed file is read again. */
  readonly isReloaded: boolean;
  /** The manifests that were in force before this source. */
  readonly memory: ManifestMemory;
  readonly faults: ManifestFaults;
  /** Absent where nothing is kept beyond this process. */
  readonly registry: IdentifierRegistry | undefined;
  /** Serialises this with other reloads. */
  readonly queue: SerialQueue;
}

export type ManifestSource = Awaited<ReturnType<typeof openManifest>>;

type Reading = ReadFiles & AssembledManifest;

/** Remembers the manifest in force across changes of the configuration. */
export interface ManifestMemory {
  /** Undefined at the start of the process. */
  inForce: Pick<Reading, 'files' | 'manifest'> | undefined;
}

/**
 * Reads the manifest files, and again whenever one of them changes. An invalid file keeps the operations that it had,
 * or is left out if it had none. An identifier keeps its text. Both are logged and counted. If no file is valid, the
 * manifest stays.
 *
 * @throws {ManifestError} where no file can be read at first
 */
export async function openManifest(options: ManifestSourceOptions) {
  const { paths, graph, isReloaded, memory, registry, logger } = options;
  const listeners: ((next: Manifest) => Promise<void>)[] = [];
  const filesNow = (): readonly string[] => findManifests(paths);
  const seen = fingerprintFiles(filesNow);
  const first = await readManifests(options);
  let { manifest } = first;
  const takeOver = (next: Reading): void => {
    const left = removedOperations(memory.inForce?.manifest, next.manifest);
    memory.inForce = { files: next.files, manifest: next.manifest };
    registry?.keep(next.manifest.operations.map((operation) => registered(operation, graph)));
    void reportRemovedOperations(left, registry, logger);
  };
  const reloadable = isReloaded
    ? createReloadable({
        ...options,
        part: 'manifest',
        paths: filesNow,
        seen,
        read: () => readManifests(options),
        async apply(next) {
          await Promise.all(listeners.map((listener) => listener(next.manifest)));
          ({ manifest } = next);
          takeOver(next);
          return {
            outcome: next.badFiles.length + next.changedTexts.length === 0 ? 'success' : 'error',
            logged: { operations: manifest.operations.length, apps: countByApp(manifest) },
          };
        },
      })
    : undefined;
  return {
    current: (): Manifest => manifest,
    /** Says that the first manifest is in force from now on. */
    settle: (): void => takeOver(first),
    /** Registers a listener that prepares everything for a new manifest before it replaces the previous one. */
    beforeChange: (listener: (next: Manifest) => Promise<void>): void => void listeners.push(listener),
    close: async (): Promise<void> => await reloadable?.close(),
  };
}

/** The number of operations of each app. */
function countByApp({ operations }: Manifest): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const app of operations.flatMap(({ apps }) => apps)) {
    counts.set(app, (counts.get(app) ?? 0) + 1);
  }
  return Object.fromEntries(counts);
}

async function readManifests(options: ManifestSourceOptions): Promise<Reading> {
  const { paths, graph, memory, faults, registry, logger } = options;
  const { files, badFiles } = readFiles(paths, memory.inForce?.files);
  for (const { file, reason, isKept } of badFiles) {
    faults.inc({ kind: 'file' });
    logger.error(
      { manifest: file, reason },
      isKept
        ? 'unreadable manifest rejected; keeping its previous operations'
        : 'unreadable manifest ignored',
    );
  }
  const before = memory.inForce?.manifest;
  const textBefore = (key: string): string | undefined => before?.byKey.get(key)?.text;
  const { manifest: listed } = assembleManifest(files, textBefore);
  const registeredTexts = await registry?.textsUnlike(
    listed.operations.map((operation) => registered(operation, graph)),
  );
  const assembled = assembleManifest(
    files,
    (key) => textBefore(key) ?? registeredTexts?.get(identifierKey(key, graph)),
  );
  for (const { file, id, operation } of assembled.changedTexts) {
    faults.inc({ kind: 'text' });
    logger.error(
      { manifest: file, id, operation },
      'a manifest has a new text for a known identifier; keeping the previous text',
    );
  }
  return { files, badFiles, ...assembled };
}

function registered(
  { id, clientName, text }: ManifestOperation,
  graph: string | undefined,
): RegisteredOperation {
  const key = identifierKey(operationKey(id, clientName), graph);
  return { key, id, clientName, text, queryHash: queryHash(text) };
}

/** The most identifiers in one log line; further ones are counted. */
const shown = 20;

/** The operations whose identifiers are in one manifest and not in the next. */
function removedOperations(before: Manifest | undefined, next: Manifest): readonly ManifestOperation[] {
  return [...(before?.byKey ?? [])].flatMap(([key, operation]) => (next.byKey.has(key) ? [] : operation));
}

/** Writes to the log which identifiers left the manifest, and who used them last. */
async function reportRemovedOperations(
  left: readonly ManifestOperation[],
  registry: Pick<IdentifierRegistry, 'lastUses'> | undefined,
  logger: Logger,
): Promise<void> {
  if (left.length === 0) {
    return;
  }
  if (registry === undefined) {
    logger.warn(listed(left), 'identifiers were removed from the manifest; their usage is unknown');
    return;
  }
  const uses = Map.groupBy(
    await registry.lastUses(left.map(({ text }) => queryHash(text))),
    (use) => use.queryHash,
  );
  const used = left.filter(({ text }) => uses.has(queryHash(text)));
  if (used.length > 0) {
    const lastUses = used.slice(0, shown).map(({ id, text }) => {
      const ofText = uses.get(queryHash(text)) ?? [];
      const requests = ofText.reduce((sum, use) => sum + use.requests, 0);
      return `${id}: ${counted(requests, 'request')}, by ${ofText.slice(0, 3).map(describeUse).join(', ')}`;
    });
    logger.warn(
      { ...listed(used), lastUses },
      'identifiers that clients use were removed from the manifest; requests with them are now rejected',
    );
  }
  const unused = left.filter((operation) => !used.includes(operation));
  if (unused.length > 0) {
    logger.info(listed(unused), 'unused identifiers were removed from the manifest');
  }
}

function listed(operations: readonly ManifestOperation[]): object {
  return {
    identifiers: operations.slice(0, shown).map(({ id }) => id),
    operations: operations.slice(0, shown).map(({ name }) => name),
    apps: [...new Set(operations.flatMap(({ apps }) => apps))],
    left: operations.length,
  };
}

/** Faults of manifests, by kind: an unreadable file, or another text for a known identifier. */
type ManifestFaults = Counter<'kind'>;

export function createManifestFaults({ registry }: Metrics): ManifestFaults {
  const faults = new Counter({
    name: 'meridian_manifest_faults_total',
    help: 'Manifest files that could not be read (kind="file"), and identifiers with a new text (kind="text").',
    labelNames: ['kind'],
    registers: [registry],
  });
  // Present from the start: `increase` does not see the first count of a sample that was not there.
  faults.inc({ kind: 'file' }, 0);
  faults.inc({ kind: 'text' }, 0);
  return faults;
}
