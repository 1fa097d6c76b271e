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
import { routerOnlyKey } from '../router-only-keys.ts';
import { rulesWithoutEffect } from '../rules-without-effect.ts';

/** What becomes of a key of Apollo Router's here. */
export type Verdict = 'honoured' | 'free' | 'without effect' | 'not supported' | 'unknown';

export interface CheckedKey {
  /** Its path, as it stands in the file. */
  readonly path: string;
  /** Where it stands, or what brings it there. */
  readonly line: number;
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
  const { document, notes, writtenAs } = fromEarlierPlaces(parsed.document, faults);
  const root = new Place(faults, [], writtenAs);
  const unset: string[] = [];
  const expanded = expandVariables(document, new Place(unset, [], writtenAs), sources);
  const config = routerFile.read(expanded, root);
  return {
    keys: keysIn(document, routerFile.schema, root).map((key) => checkKey(key, parsed.lines)),
    faults: [...faults, ...(config === unreadable ? [] : contradictionsIn(config))],
    notes: [
      ...notes,
      ...(config === unreadable ? [] : rulesWithoutEffect(config, root)),
      ...unset.map((sentence) => `${sentence}; the value was not checked`),
    ],
  };
}

function checkKey({ at, ...key }: FoundKey, lines: ReadonlyMap<string, number>): CheckedKey {
  const path = at.written;
  return { path, line: lineOf(path, lines), ...verdictOn(key) };
}

/** The line of a path, or of the nearest above it that the file has: a key may come of an anchor. */
function lineOf(path: string, lines: ReadonlyMap<string, number>): number {
  const line = lines.get(path);
  const end = Math.max(path.lastIndexOf('.'), path.lastIndexOf('['));
  return line ?? (end > 0 ? lineOf(path.slice(0, end), lines) : 1);
}

const knownPaths = pathsOf(routerFile.schema);

function verdictOn({
  pattern,
  value,
  isKnown,
}: Omit<FoundKey, 'at'>): Pick<CheckedKey, 'verdict' | 'remark'> {
  if (isKnown) {
    const note = keyNote(pattern);
    const remark = note?.does ?? '';
    if (note?.hasNoEffect) {
      return { verdict: 'without effect', remark };
    }
    return { verdict: note?.isPaidInRouter ? 'free' : 'honoured', remark };
  }
  const routerOnly = routerOnlyKey(pattern, value);
  if (routerOnly === undefined) {
    const nearest = nearestKey(pattern, knownPaths);
    return { verdict: 'unknown', remark: `the nearest known key is ${nearest}` };
  }
  return 'instead' in routerOnly
    ? { verdict: 'not supported', remark: routerOnly.instead }
    : { verdict: 'without effect', remark: routerOnly.passedOver };
}
