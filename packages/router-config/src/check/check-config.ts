import { contradictionsIn } from '../contradictions.ts';
import { fromEarlierPlaces } from '../earlier-places.ts';
import type { VariableSources } from '../expand-variables.ts';
import { expandVariables } from '../expand-variables.ts';
import type { FoundKey } from '../keys-in.ts';
import { keysIn, pathsOf } from '../keys-in.ts';
import { unreadable } from '../kinds/kind.ts';
import { Place } from '../kinds/place.ts';
import { nearestKey } from '../nearest-key.ts';
import type { ConfigFile } from '../parse-yaml.ts';
import { parseYaml } from '../parse-yaml.ts';
import { keyNote } from '../reference/key-notes.ts';
import { routerFile } from '../router-file.ts';
import { routerOnlyKeys } from '../router-only-keys.ts';
import { rulesWithoutEffect } from '../rules-without-effect.ts';

/** What becomes of a key of Apollo Router's here. */
export type Verdict = 'honoured' | 'free' | 'without effect' | 'not supported' | 'unknown';

export interface CheckedKey {
  /** Its path, as it stands in the file. */
  readonly path: string;
  readonly verdict: Verdict;
  /** What the key does, why it has no effect, what to do instead, or which key was meant. */
  readonly remark: string;
}

export interface ConfigCheck {
  readonly keys: readonly CheckedKey[];
  /** What is wrong with values, a sentence each. */
  readonly faults: readonly string[];
  /** What could be better, or could not be checked, a sentence each. */
  readonly notes: readonly string[];
}

/**
 * Says of each key of a Router configuration what the gateway makes of it. A variable that is not set here is no fault, since
 * it may be where the gateway runs: its value is not checked.
 */
export function checkConfig(file: ConfigFile, sources: VariableSources): ConfigCheck {
  const faults: string[] = [];
  const parsed = parseYaml(file, faults);
  if (faults.length > 0) {
    return { keys: [], faults, notes: [] };
  }
  const { document, notes, writtenAs } = fromEarlierPlaces(parsed, faults);
  const root = new Place(faults, [], writtenAs);
  const unset: string[] = [];
  const expanded = expandVariables(document, new Place(unset, [], writtenAs), sources);
  const config = routerFile.read(expanded, root);
  return {
    keys: keysIn(document, routerFile.schema, root).map(verdictOn),
    faults: [...faults, ...(config === unreadable ? [] : contradictionsIn(config))],
    notes: [
      ...notes,
      ...(config === unreadable ? [] : rulesWithoutEffect(config)),
      ...unset.map((sentence) => `${sentence}; the value was not checked`),
    ],
  };
}

const knownPaths = pathsOf(routerFile.schema);

function verdictOn({ at, pattern, isKnown }: FoundKey): CheckedKey {
  const path = at.written;
  if (isKnown) {
    const note = keyNote(pattern);
    const remark = note?.does ?? '';
    if (note?.hasNoEffect) {
      return { path, verdict: 'without effect', remark };
    }
    return { path, verdict: note?.isPaidInRouter ? 'free' : 'honoured', remark };
  }
  const routerOnly = routerOnlyKeys.get(pattern);
  if (routerOnly === undefined) {
    const nearest = nearestKey(pattern, knownPaths);
    return { path, verdict: 'unknown', remark: `the nearest known key is ${nearest}` };
  }
  return 'instead' in routerOnly
    ? { path, verdict: 'not supported', remark: routerOnly.instead }
    : { path, verdict: 'without effect', remark: routerOnly.passedOver };
}
