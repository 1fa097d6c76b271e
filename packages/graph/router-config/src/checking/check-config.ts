import { facts } from '../declaration/json-schema.ts';
import type { InspectedConfig, RouterConfigSources } from '../reading/inspect-config.ts';
import { inspectConfig } from '../reading/inspect-config.ts';
import type { FoundKey } from '../keys/keys-in.ts';
import { keysIn, pathsOf } from '../keys/keys-in.ts';
import { nearestKeyRemarks } from '../keys/nearest-key.ts';
import type { ConfigFile } from '../reading/parse-yaml.ts';
import type { AppliedDifference } from './differences.ts';
import { differencesFor } from './differences.ts';
import { routerFile } from '../sections/router-file.ts';
import { routerOnlyKey } from '../keys/router-only-keys.ts';

/** The effect of a key of Apollo Router here. */
export type Verdict =
  | 'honoured'
  | 'free'
  | 'without effect'
  | 'ignored'
  | 'invalid'
  | 'not supported'
  | 'unknown';

export interface CheckedKey {
  /** Its path in the file. */
  readonly path: string;
  /** The line of the key, or of the anchor that brings it. */
  readonly line: number;
  readonly verdict: Verdict;
  /** The effect of the key, the reason why it has none, the alternative, or the key that was meant. */
  readonly remark: string;
}

export interface ConfigCheck extends Pick<InspectedConfig, 'faults' | 'config' | 'sampled'> {
  readonly keys: readonly CheckedKey[];
  /** Suggestions, and parts that could not be checked, a sentence each. */
  readonly notes: readonly string[];
  /** Variables without a value, as the file names them, such as `env.PORT`. */
  readonly missing: readonly string[];
  /** Differences from Apollo Router with this file. */
  readonly differences: readonly AppliedDifference[];
}

export interface CheckOptions extends Omit<RouterConfigSources, 'files' | 'mode'> {
  readonly mode: 'development' | 'production';
  /** Files that are merged over the checked one. Default: none. */
  readonly overlays?: readonly ConfigFile[];
}

/**
 * Checks each key of a Router configuration. A variable that is not set here is not a fault, because it may be set
 * where the gateway runs: its value is not checked.
 */
export function checkConfig(file: ConfigFile, options: CheckOptions): ConfigCheck {
  const { mode, overlays = [], ...sources } = options;
  const inspected = inspectConfig({ files: [file, ...overlays], mode, ...sources });
  const { config, sampled, ignored, faults, notes, missing, document, root, lines } = inspected;
  const keys = keysIn(document, routerFile.schema, root);
  const remarkOn = nearestKeyRemarks(knownPaths);
  return {
    keys: keys.map(({ at, ...key }) => ({
      path: at.written,
      line: lineOf(at.written, lines),
      ...(faultOn(at.written, faults) ??
        verdictOn(key, mode, { remarkOn, isIgnored: ignored.unsupported.includes(at.written) })),
    })),
    faults,
    notes: [
      ...notes,
      ...missing.map(
        ({ at, reference }) => `${at.written}: ${reference} has no value here, and was not checked`,
      ),
    ],
    missing: [...new Set(missing.map(({ reference }) => reference))],
    differences: config === undefined ? [] : differencesFor(config, keys, mode),
    config,
    sampled,
  };
}

/** The verdict on a key with a fault: its own, of a part of its value, or of the section around it. */
function faultOn(
  path: string,
  faults: readonly string[],
): Pick<CheckedKey, 'verdict' | 'remark'> | undefined {
  const fault = faults.find((sentence) => {
    const [at = ''] = sentence.split(': ', 1);
    return at === path || isWithin(path, at) || isWithin(at, path);
  });
  return fault === undefined
    ? undefined
    : { verdict: 'invalid', remark: fault.slice(fault.indexOf(': ') + 2) };
}

function isWithin(path: string, section: string): boolean {
  return path.startsWith(`${section}.`) || path.startsWith(`${section}[`);
}

/** The line of a path, or of the nearest enclosing path in the file: a key may come from an anchor. */
function lineOf(path: string, lines: ReadonlyMap<string, number>): number {
  const line = lines.get(path);
  const end = Math.max(path.lastIndexOf('.'), path.lastIndexOf('['));
  return line ?? (end > 0 ? lineOf(path.slice(0, end), lines) : 1);
}

const knownPaths = pathsOf(routerFile.schema);

function verdictOn(
  { pattern, value, schema }: Omit<FoundKey, 'at'>,
  mode: CheckOptions['mode'],
  { remarkOn, isIgnored }: { readonly remarkOn: (pattern: string) => string; readonly isIgnored: boolean },
): Pick<CheckedKey, 'verdict' | 'remark'> {
  if (schema !== undefined) {
    const { noEffect, paid } = schema[facts] ?? {};
    const hasNoEffect = noEffect === 'always' || noEffect === mode;
    return {
      verdict: hasNoEffect ? 'without effect' : paid ? 'free' : 'honoured',
      remark: schema.description ?? '',
    };
  }
  const routerOnly = routerOnlyKey(pattern, value);
  if (routerOnly === undefined) {
    return { verdict: 'unknown', remark: remarkOn(pattern) };
  }
  if ('isAsHere' in routerOnly) {
    return { verdict: 'without effect', remark: 'its value matches what the gateway does' };
  }
  return 'instead' in routerOnly
    ? { verdict: isIgnored ? 'ignored' : 'not supported', remark: routerOnly.instead }
    : { verdict: 'without effect', remark: routerOnly.noEffect };
}
