import { contradictionsIn } from './contradictions.ts';
import { fromEarlierPlaces } from './earlier-places.ts';
import type { VariableSources } from './expand-variables.ts';
import { expandVariables } from './expand-variables.ts';
import { unreadable } from './kinds/kind.ts';
import { Place } from './kinds/place.ts';
import { mergeOverlay } from './merge-overlay.ts';
import type { ConfigFile } from './parse-yaml.ts';
import { parseYaml } from './parse-yaml.ts';
import { RouterConfigError } from './router-config-error.ts';
import type { RouterConfig } from './router-file.ts';
import { routerFile } from './router-file.ts';
import { rulesWithoutEffect } from './rules-without-effect.ts';
import { reportUnknownKeys } from './unknown-keys.ts';

export interface RouterConfigSources extends VariableSources {
  /** The configuration, then any overlays: each is laid over those before it. */
  readonly files: readonly ConfigFile[];
}

export interface ReadRouterConfig {
  readonly config: RouterConfig;
  /** What the author may want to change, though it works: keys in the places of earlier versions, keys without effect. */
  readonly notes: readonly string[];
}

/**
 * Reads `router.yaml`: earlier places, overlays, variables, then every key by its kind.
 *
 * @throws {RouterConfigError} which names every fault, not just the first
 */
export function readRouterConfig({ files, ...sources }: RouterConfigSources): ReadRouterConfig {
  const faults: string[] = [];
  const documents = files.map((file) => parseYaml(file, faults));
  // A file that cannot be parsed would bring another fault for each key that it lacks.
  throwAny(faults);
  const layers = documents.map(({ document }) => fromEarlierPlaces(document, faults));
  const root = new Place(faults, [], new Map(layers.flatMap(({ writtenAs }) => [...writtenAs])));
  const merged = layers.map(({ document }) => document).reduce(mergeOverlay, {});
  const passedOver = reportUnknownKeys(merged, routerFile.schema, root);
  const config = routerFile.read(expandVariables(merged, root, sources), root);
  throwAny(faults);
  if (config === unreadable) {
    throw new Error('a value of router.yaml could not be read, and nothing says which');
  }
  throwAny(contradictionsIn(config));
  const notes = [
    ...layers.flatMap((layer) => layer.notes),
    ...passedOver,
    ...rulesWithoutEffect(config, root),
  ];
  return { config, notes };
}

function throwAny(faults: readonly string[]): void {
  if (faults.length > 0) {
    throw new RouterConfigError(faults);
  }
}
