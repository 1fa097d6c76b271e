import { contradictionsIn } from './contradictions.ts';
import { toCurrentPlaces } from '../keys/other-names.ts';
import type { MissingVariable, VariableSources } from './expand-variables.ts';
import { expandVariables } from './expand-variables.ts';
import { invalid } from '../declaration/key-type.ts';
import type { Mapping } from '../declaration/mapping.ts';
import { isMapping } from '../declaration/mapping.ts';
import { Place } from '../declaration/place.ts';
import type { ConfigFile } from './parse-yaml.ts';
import { parseYaml } from './parse-yaml.ts';
import type { RouterConfig } from '../sections/router-file.ts';
import { routerFile } from '../sections/router-file.ts';
import { rulesWithoutEffect } from './no-op-rules.ts';
import { readAroundFaults, withSamples } from './sample-values.ts';
import type { IgnoredKeys } from '../keys/unknown-keys.ts';
import { reportUnknownKeys } from '../keys/unknown-keys.ts';

export interface RouterConfigSources extends VariableSources {
  /** The configuration, then overlays; each is merged over the previous ones. */
  readonly files: readonly ConfigFile[];
  /** In development, more of the unsupported keys can be ignored. Default: production. */
  readonly mode?: 'development' | 'production';
  /** True when unsupported keys are ignored that protect nothing, as `meridian.unsupported_keys: warn` says in a file. */
  readonly ignoresUnsupported?: boolean;
  /** Further checks of the whole configuration. */
  readonly check?: (config: RouterConfig) => ConfigFindings;
}

/** Sentences that begin with the path of a key. */
export interface ConfigFindings {
  /** The reasons why the configuration is invalid. */
  readonly faults: readonly string[];
  /** Settings that work, but perhaps not as their author expects. */
  readonly notes: readonly string[];
}

/** The findings about a configuration. */
export interface InspectedConfig {
  /** Undefined if a value is invalid. A variable without a value has a sample that its key takes. */
  readonly config: RouterConfig | undefined;
  /** The same, where a sample also takes the place of an invalid value. Undefined if a file does not parse. */
  readonly sampled: RouterConfig | undefined;
  /** The keys that the gateway does not have, as sentences that begin with the path. */
  readonly keyFaults: readonly string[];
  /** The keys of Apollo Router that are ignored here. */
  readonly ignored: IgnoredKeys;
  /** Faults of values, as sentences. */
  readonly faults: readonly string[];
  /** Suggestions for the author, though the file works: keys in deprecated places, rules without effect. */
  readonly notes: readonly string[];
  readonly missing: readonly MissingVariable[];
  /** Its keys, each in its current place. */
  readonly document: Mapping;
  readonly root: Place;
  /** The lines of the keys of the first file, by their paths as written. */
  readonly lines: ReadonlyMap<string, number>;
}

/** Reads `router.yaml` as far as possible: earlier places, overlays, variables, then every key by its type. */
export function inspectConfig({
  files,
  mode = 'production',
  ignoresUnsupported = false,
  check = () => ({ faults: [], notes: [] }),
  ...sources
}: RouterConfigSources): InspectedConfig {
  const faults: string[] = [];
  const parsed = files.map((file) => parseYaml(file, faults));
  const lines = parsed[0]?.lines ?? new Map<string, number>();
  if (faults.length > 0) {
    // A file that does not parse would cause another fault for each missing key.
    const nothing = {
      keyFaults: [],
      ignored: { withoutEffect: [], unsupported: [] },
      sampled: undefined,
      notes: [],
      missing: [],
      document: {},
      root: new Place([]),
    };
    return { config: undefined, faults, lines, ...nothing };
  }
  const layers = parsed.map(({ document }) => toCurrentPlaces(document, routerFile.schema, faults));
  const writtenAs = new Map(layers.flatMap((layer) => [...layer.writtenAs]));
  const document = layers.map((layer) => layer.document).reduce(mergeOverlay, {});
  const keyFaults: string[] = [];
  const ignored = reportUnknownKeys(document, routerFile.schema, new Place(keyFaults, [], writtenAs), {
    ignoresUnsupported: ignoresUnsupported || saysToIgnore(document),
    mode,
  });
  const root = new Place(faults, [], writtenAs);
  const { document: expanded, missing } = expandVariables(document, root, sources);
  const complete = withSamples(expanded, document, routerFile.schema);
  const read = routerFile.read(complete, root);
  const config = read === invalid ? undefined : read;
  const { config: sampled = config, faultyPaths = [] } =
    config === undefined ? readAroundFaults(complete) : {};
  const checked = sampled === undefined ? { faults: [], notes: [] } : check(sampled);
  return {
    config,
    sampled,
    keyFaults,
    ignored,
    faults: [
      ...faults,
      // A sample takes the place of an invalid value: what it contradicts says nothing about the file.
      ...(sampled === undefined ? [] : [...contradictionsIn(sampled, root), ...checked.faults]).filter(
        (fault) => !faultyPaths.some((path) => fault.includes(path)),
      ),
    ],
    notes: [
      ...layers.flatMap((layer) => layer.notes),
      ...(config === undefined ? [] : [...rulesWithoutEffect(config, root), ...checked.notes]),
    ],
    missing,
    document,
    root,
    lines,
  };
}

/** Read before everything else: what is a fault depends on it. */
function saysToIgnore({ meridian }: Mapping): boolean {
  return isMapping(meridian) && meridian['unsupported_keys'] === 'warn';
}

/**
 * Merges an overlay over a document: maps merge member by member, any other value replaces the previous one. A null
 * removes the key, so its default applies again.
 */
export function mergeOverlay(base: Mapping, overlay: Mapping): Mapping {
  const covering = (key: string, value: unknown): unknown => {
    const covered = Object.hasOwn(base, key) ? base[key] : undefined;
    return isMapping(covered) && isMapping(value) ? mergeOverlay(covered, value) : value;
  };
  // By entries: an assignment to `__proto__` would give the map a prototype, whose keys then count.
  return Object.fromEntries([
    ...Object.entries(base),
    ...Object.entries(overlay).map(([key, value]) => [key, covering(key, value)] as const),
  ]);
}
