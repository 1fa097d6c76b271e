import { CommandError } from '@meridian/settings/command-line';
import type { Level } from '../changes/kinds.ts';
import { levels } from '../changes/kinds.ts';
import { isRecord } from '@meridian/settings/values';
import { parse } from 'yaml';

import type { LintRuleName } from '../lint/lint-rules.ts';
import { lintRuleNames } from '../lint/lint-rules.ts';

/** The rules of a repository's checks: schema-check.yaml. Its JSON Schema is schema-check.schema.json. */
export interface Rules {
  /** Changes of these levels fail, where they concern an operation that counts. `security` always does. */
  readonly failOn: readonly Level[];
  /**
   * `registered`: clients run operations of the manifests only, as a safelist sees to. `any`: others too, which only
   * usage knows.
   */
  readonly operations: 'registered' | 'any';
  /** The manifests of the clients. */
  readonly manifests: readonly ManifestRule[];
  /** The owners of clients, whatever names them elsewhere: for those without a manifest, too. */
  readonly clients: readonly ClientRule[];
  /** An element without use for this many days counts as unused. */
  readonly usageDays: number;
  /** An element is removed only when it was deprecated this many days ago; 0 for at once. */
  readonly deprecationDays: number;
  readonly ignore: IgnoreRules;
  /** The rules for schemas, which hold for what changes; none where the file does not ask for them. */
  readonly lint: readonly LintRuleName[];
}

export interface ManifestRule {
  /** The place of the path in the file, as in `manifests[0].path`; absent for the default. */
  readonly key?: string;
  /** A file, a folder or a glob. */
  readonly path: string;
  /** The client that the manifest is of, where it does not say. Default: the name of the file. */
  readonly client: string | undefined;
  /** The owners of its clients. Default: the owners of the file, by CODEOWNERS. */
  readonly owners?: readonly string[] | undefined;
}

export interface ClientRule {
  readonly client: string;
  readonly owners: readonly string[];
}

export interface IgnoreRules {
  /** Clients whose use does not count, such as a test suite. */
  readonly clients: readonly string[];
  /** Names of operations that do not count. */
  readonly operations: readonly string[];
  /** True to leave changed descriptions out. */
  readonly descriptions: boolean;
}

export const rulesFile = 'schema-check.yaml';

export const defaultRules: Rules = {
  failOn: ['security', 'breaking', 'lint'],
  operations: 'any',
  manifests: [{ path: 'persisted-queries.json', client: undefined }],
  clients: [],
  usageDays: 30,
  deprecationDays: 0,
  ignore: { clients: [], operations: [], descriptions: true },
  lint: [],
};

/**
 * Reads the rules.
 *
 * @param text of the file; undefined where there is none: the defaults hold
 * @throws {CommandError} that names the key
 */
export function readRules(text: string | undefined): Rules {
  const file: unknown = text === undefined ? {} : parseYaml(text);
  const keys = reader('', file ?? {}, [
    'fail_on',
    'operations',
    'manifests',
    'clients',
    'usage_days',
    'deprecation_days',
    'lint',
    'ignore',
  ]);
  const ignore = reader('ignore.', keys.get('ignore') ?? {}, ['clients', 'operations', 'descriptions']);
  const failOn = keys
    .texts('fail_on', defaultRules.failOn)
    .map((level) => keys.oneOf('fail_on', level, levels));
  return {
    failOn: [...new Set<Level>(['security', ...failOn])],
    operations: keys.oneOf('operations', keys.get('operations') ?? defaultRules.operations, [
      'registered',
      'any',
    ]),
    manifests: readManifestRules(keys),
    clients: keys.list('clients', keys.get('clients') ?? []).map((entry, index) => {
      const client = reader(`clients[${index}].`, entry, ['client', 'owner']);
      return { client: client.text('client', undefined), owners: client.owners('owner') };
    }),
    usageDays: keys.days('usage_days', defaultRules.usageDays),
    deprecationDays: keys.days('deprecation_days', defaultRules.deprecationDays),
    ignore: {
      clients: ignore.texts('clients', []),
      operations: ignore.texts('operations', []),
      descriptions: ignore.flag('descriptions', defaultRules.ignore.descriptions),
    },
    lint: readLintRules(keys),
  };
}

/** With the key `lint`, every rule holds that is not switched off. */
function readLintRules(keys: Reader): readonly LintRuleName[] {
  const held = keys.get('lint');
  if (held === undefined) {
    return defaultRules.lint;
  }
  const lint = reader('lint.', held, lintRuleNames);
  return lintRuleNames.filter((name) => lint.flag(name, true));
}

/** They multiply: {a,b}{a,b} has four. */
const maxAlternatives = 10;

function readManifestRules(keys: Reader): readonly ManifestRule[] {
  const listed = keys.get('manifests');
  if (listed === undefined) {
    return defaultRules.manifests;
  }
  return keys.list('manifests', listed).map((entry, index) => {
    const manifest = reader(`manifests[${index}].`, entry, ['path', 'client', 'owner']);
    const path = manifest.text('path', undefined);
    if (/[?*+@!]\(/u.test(path) || (path.includes('{') && path.split(',').length > maxAlternatives)) {
      throw new CommandError(
        `Cannot read ${rulesFile}: manifests[${index}].path takes a glob with at most ${maxAlternatives} alternatives, each in braces`,
      );
    }
    return {
      key: `manifests[${index}].path`,
      path,
      client: manifest.get('client') === undefined ? undefined : manifest.text('client', undefined),
      owners: manifest.get('owner') === undefined ? undefined : manifest.owners('owner'),
    };
  });
}

/** A user or a team of GitHub, or an address. */
const ownerPattern = /^(?:@[\w-]+(?:\/[\w.-]+)?|[^\s@<>]+@[^\s@<>]+)$/u;

function parseYaml(text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    throw new CommandError(
      `Cannot read ${rulesFile}: ${error instanceof Error ? error.message : String(error)}`,
      {
        cause: error,
      },
    );
  }
}

type Reader = ReturnType<typeof reader>;

/** Reads the keys of an object; an unknown one is a fault, as it is in router.yaml. */
function reader(prefix: string, value: unknown, known: readonly string[]) {
  const fail = (key: string, takes: string): never => {
    throw new CommandError(`Cannot read ${rulesFile}: ${prefix}${key} takes ${takes}`);
  };
  if (!isRecord(value)) {
    throw new CommandError(
      `Cannot read ${rulesFile}: ${prefix === '' ? 'it' : prefix.slice(0, -1)} takes an object`,
    );
  }
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown !== undefined) {
    throw new CommandError(
      `Cannot read ${rulesFile}: there is no key ${prefix}${unknown}. The keys are ${known.join(', ')}`,
    );
  }
  const list = (key: string, held: unknown): readonly unknown[] =>
    Array.isArray(held) ? held : fail(key, 'a list');
  return {
    get: (key: string) => value[key],
    list,
    text(key: string, fallback: string | undefined): string {
      const held = value[key] ?? fallback;
      return typeof held === 'string' && held !== '' ? held : fail(key, 'a text');
    },
    owners(key: string): readonly string[] {
      const held = value[key];
      const owners = typeof held === 'string' ? held.split(/\s+/u).filter((owner) => owner !== '') : [];
      return owners.length > 0 && owners.every((owner) => ownerPattern.test(owner))
        ? owners
        : fail(key, 'owners as CODEOWNERS has them: @team, @organisation/team');
    },
    texts: (key: string, fallback: readonly string[]): readonly string[] =>
      list(key, value[key] ?? fallback).map((held) => (typeof held === 'string' ? held : fail(key, 'texts'))),
    days(key: string, fallback: number): number {
      const held = value[key] ?? fallback;
      return typeof held === 'number' && Number.isInteger(held) && held >= 0 && held <= 9999
        ? held
        : fail(key, 'a number of days from 0 to 9999');
    },
    flag(key: string, fallback: boolean): boolean {
      const held = value[key] ?? fallback;
      return typeof held === 'boolean' ? held : fail(key, 'true or false');
    },
    oneOf: <Value extends string>(key: string, held: unknown, values: readonly Value[]): Value =>
      values.find((one) => one === held) ?? fail(key, values.join(' or ')),
  };
}
