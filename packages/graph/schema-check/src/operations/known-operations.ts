import { queryHash } from '@meridian/manifest';
import { counted } from '@meridian/settings/command-line';

import type { KnownOperation, OperationClient } from '../changes/impact/known-operation.ts';
import { groupsOf } from '../changes/pair-by-key.ts';
import type { ClientOperation } from '../read/read-manifests.ts';
import type { RecordedOperation, RecordedUsage, RecordedUse } from '../read/usage-file.ts';
import type { IgnoreRules } from '../rules/rules.ts';

export interface OperationSources {
  /** Of the base's manifests. */
  readonly listedBefore: readonly ClientOperation[];
  /** Of the changed ones. */
  readonly listedAfter: readonly ClientOperation[];
  readonly usage: RecordedUsage | undefined;
  readonly window: UsageWindow;
  readonly ignore: IgnoreRules;
}

/** The operations that count, by the keys of their texts. */
export type KnownOperations = ReadonlyMap<string, KnownOperation>;

/**
 * Joins manifests and usage. An operation counts when the changed manifests list it, when it was used in the window, or
 * when only the base's manifests list it and no usage says that it is unused.
 */
export function knownOperations(sources: OperationSources): KnownOperations {
  const { listedBefore, listedAfter, usage, window, ignore } = sources;
  const gathered = new Map<string, Gathered>();
  const gather = (key: string, name: string, text: string | undefined): Gathered => {
    const found = gathered.get(key) ?? {
      name,
      text,
      identifiers: new Set(),
      manifestClients: new Map(),
      uses: [],
      fields: undefined,
      isListedBefore: false,
      isListedAfter: false,
    };
    gathered.set(key, found);
    return found;
  };
  for (const [flag, operations] of [
    ['isListedBefore', listedBefore],
    ['isListedAfter', listedAfter],
  ] as const) {
    for (const { id, name, text, client, versions } of operations) {
      const found = gather(queryHash(text), name, text);
      found[flag] = true;
      found.identifiers.add(id);
      const known = found.manifestClients.get(client) ?? [];
      found.manifestClients.set(client, new Set([...known, ...versions]));
    }
  }
  for (const operation of usage?.operations ?? []) {
    const uses = operation.uses.filter(window.isInWindow);
    if (uses.length > 0) {
      const found = gather(recordedKey(operation), operation.name, operation.text ?? undefined);
      found.uses.push(...uses);
      found.fields ??= operation.fields;
    }
  }
  const isIgnored = new Set(ignore.clients);
  const ignoredNames = new Set(ignore.operations);
  return new Map(
    Array.from(gathered).flatMap(([key, found]) => {
      const uses = found.uses.filter(({ client }) => !isIgnored.has(client));
      const manifestClients = new Map(
        [...found.manifestClients].filter(([client]) => !isIgnored.has(client)),
      );
      const isListed = manifestClients.size > 0;
      const counts =
        uses.length > 0 ||
        (isListed && (found.isListedAfter || (found.isListedBefore && !window.isSufficient)));
      return counts && !ignoredNames.has(found.name)
        ? [[key, knownOperation(key, found, { uses, manifestClients }, window)] as const]
        : [];
    }),
  );
}

/** Everything that is known of one operation. */
interface Gathered {
  readonly name: string;
  readonly text: string | undefined;
  readonly identifiers: Set<string>;
  /** With their versions in the field; none where any may be. */
  readonly manifestClients: Map<string, ReadonlySet<string>>;
  readonly uses: RecordedUse[];
  fields: readonly string[] | undefined;
  isListedBefore: boolean;
  isListedAfter: boolean;
}

/** The key by which an operation of recorded usage is known. */
export function recordedKey({ queryHash: hash, text, name, fields }: RecordedOperation): string {
  return hash ?? queryHash(text ?? JSON.stringify([name, fields]));
}

interface Counted {
  readonly uses: readonly RecordedUse[];
  readonly manifestClients: ReadonlyMap<string, ReadonlySet<string>>;
}

function knownOperation(
  key: string,
  { name, text, identifiers, fields }: Gathered,
  { uses, manifestClients }: Counted,
  { isSufficient }: UsageWindow,
): KnownOperation {
  return {
    key,
    name,
    text,
    identifiers: [...identifiers],
    clients: [...clientsOf(uses), ...unseenClients(manifestClients, uses)],
    ...(fields === undefined ? {} : { recordedFields: fields }),
    sentInputs: isSufficient && uses.length > 0 ? inputsIn(uses) : undefined,
  };
}

function clientsOf(uses: readonly RecordedUse[]): readonly OperationClient[] {
  return groupsOf(uses, ({ client, version }) => [client, version]).map(([first, ...others]) => ({
    name: first.client,
    version: first.version,
    requests: others.reduce((sum, { requests }) => sum + requests, first.requests),
    lastDay: others.reduce((last, { lastDay }) => (lastDay > last ? lastDay : last), first.lastDay),
  }));
}

/** The clients of manifests without recorded use: each version where the manifest names them. */
function unseenClients(
  manifestClients: Counted['manifestClients'],
  uses: readonly RecordedUse[],
): readonly OperationClient[] {
  return [...manifestClients].flatMap(([name, versions]) => {
    const seen = new Set(uses.flatMap(({ client, version }) => (client === name ? [version] : [])));
    const unseen: readonly (string | undefined)[] =
      versions.size > 0
        ? [...versions].filter((version) => !seen.has(version))
        : seen.size > 0
          ? []
          : [undefined];
    return unseen.map((version) => ({ name, version, requests: undefined, lastDay: undefined }));
  });
}

/** Undefined where some use did not record them. */
function inputsIn(uses: readonly RecordedUse[]): ReadonlySet<string> | undefined {
  return uses.every(({ inputs }) => inputs !== null)
    ? new Set(uses.flatMap(({ inputs }) => inputs ?? []))
    : undefined;
}

/** Usage, seen through the window of days that the rules ask for. */
export interface UsageWindow {
  /** True where what has no use in it is unused. */
  readonly isSufficient: boolean;
  /** The reason, as a sentence without its full stop. */
  readonly reason: string;
  readonly isInWindow: (use: RecordedUse) => boolean;
}

const dayMs = 86_400_000;
/** An export that is older says too little about the last days. */
const maxAgeDays = 7;

/** @param unread the manifests that are not files of the repository: their operations only usage knows */
export function usageWindow(
  usage: RecordedUsage | undefined,
  days: number,
  today: Date,
  unread: readonly string[] = [],
): UsageWindow {
  const lack = usage === undefined ? 'no usage is at hand' : lackOf(usage, days, today);
  const others = unread.length === 0 ? '' : `, and no file of the repository is at ${unread.join(', ')}`;
  const firstDay = new Date(today.getTime() - days * dayMs).toISOString().slice(0, 10);
  return {
    isSufficient: lack === undefined,
    reason: lack === undefined ? `usage of ${counted(days, 'day')}` : `${lack}${others}`,
    isInWindow: ({ lastDay }) => lastDay > firstDay,
  };
}

/** The reason why usage does not say what is unused; undefined where it does. */
function lackOf(usage: RecordedUsage, days: number, today: Date): string | undefined {
  const ageDays = Math.floor((today.getTime() - Date.parse(usage.exportedAt)) / dayMs);
  if (!(ageDays <= maxAgeDays)) {
    return `the usage was exported ${counted(ageDays, 'day')} ago`;
  }
  const reach = Math.min(usage.recordedDays, usage.days);
  return reach < days
    ? `usage reaches back ${reach} of the ${counted(days, 'day')} that the rules ask for`
    : undefined;
}
