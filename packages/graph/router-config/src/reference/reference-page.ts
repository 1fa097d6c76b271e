import type { JsonSchema } from '../declaration/json-schema.ts';
import { expansion, facts, namedMembers, partOf } from '../declaration/json-schema.ts';
import { byteSize, duration } from '../declaration/value-types.ts';
import { joined } from '../keys/keys-in.ts';
import { routerFile } from '../sections/router-file.ts';
import { keysByTask } from './keys-by-task.ts';

const introduction = `# router.yaml

<!-- Written by \`pnpm router-config reference\` from the same tables that read the file; edit those. -->

The keys and the forms of durations, sizes and variables are Apollo Router's (2.16). What Router has no key for is under
\`meridian\`. Any string may hold \`\${env.NAME}\`, \`\${env.NAME:-default}\` and \`\${file.path}\`. An unknown key stops the start;
the message names its path and the nearest known key.

[differences-from-apollo-router.md](differences-from-apollo-router.md) lists every default and behaviour that differs from
Apollo Router, and the keys that have no effect or are not supported. \`meridian-gateway check FILE\` says the same of
your own file, key by key, and says whether the gateway starts with it.

Editors can use the JSON Schema, [router-config.schema.json](../packages/graph/router-config/router-config.schema.json): the
first line of the shipped [router.yaml](../router.yaml) names it.

**$** marks keys that need a GraphOS plan in Apollo Router; they are free here.`;

/** The reference page of the configuration file, in Markdown. */
export function referencePage(): string {
  const sections = Object.entries(routerFile.schema.properties ?? {}).map(([name, schema]) =>
    [
      `## ${name}`,
      '',
      '| key | takes | default | |',
      '|---|---|---|---|',
      ...leavesOf(schema, name).map(row),
    ].join('\n'),
  );
  return `${[introduction, index(), ...sections].join('\n\n')}\n`;
}

/** Each task, with links to the sections of its keys. */
function index(): string {
  const rows = Array.from(keysByTask, ([task, keys]) => {
    const links = keys.map((key) => `[\`${key}\`](#${key.split('.', 1).join('')})`);
    return `| ${task} | ${links.join(', ')} |`;
  });
  return ['## By task', '', '| | |', '|---|---|', ...rows].join('\n');
}

interface Leaf {
  readonly path: string;
  readonly schema: JsonSchema;
}

/** The keys that hold a value. `headers.subgraphs` has the keys of `headers.all`, which are listed once. */
function leavesOf(schema: JsonSchema, path: string): Leaf[] {
  if (path === 'headers.subgraphs') {
    return [];
  }
  const properties = Object.entries(partOf(schema, 'properties') ?? {});
  const members = namedMembers(schema);
  // Members of any form, as of a condition, are part of the value.
  const named = members && describesNothing(members) ? undefined : members;
  const items = partOf(schema, 'items');
  const below = [
    ...properties.flatMap(([name, member]) => leavesOf(member, joined(path, name))),
    ...(named === undefined ? [] : leavesOf(named, joined(path, '*'))),
    ...(items !== undefined && partOf(items, 'properties') !== undefined ? leavesOf(items, `${path}[]`) : []),
  ];
  const isValue = below.length === 0 || (schema.description !== undefined && named === undefined);
  return isValue ? [{ path, schema }, ...below] : below;
}

function describesNothing(schema: JsonSchema): boolean {
  return Object.keys(schema).every((word) => word === 'description');
}

function row({ path, schema }: Leaf): string {
  const note = `${schema[facts]?.paid ? '**$** ' : ''}${schema.description ?? ''}`;
  return `| \`${path}\` | ${describeAcceptedValues(schema)} | ${defaultAsText(schema.default)} | ${note} |`;
}

function defaultAsText(value: unknown): string {
  return value === undefined ? '' : `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
}

const patterns = new Map([
  [partOf(duration.schema, 'pattern'), 'a time such as `5s`'],
  [partOf(byteSize.schema, 'pattern'), 'a size such as `16MiB`'],
]);

const types = new Map<unknown, string>([
  ['boolean', '`true`, `false`'],
  ['string', 'a text'],
  ['number', 'a number'],
  ['array', 'a list'],
  ['object', 'a map'],
]);

const alternatives = new Intl.ListFormat('en', { type: 'disjunction' });

/** The values that a key takes, in a few words. */
function describeAcceptedValues(schema: JsonSchema): string {
  const words = partOf(schema, 'enum');
  if (words !== undefined) {
    return words.map((word) => `\`${word}\``).join(', ');
  }
  const pattern = patterns.get(partOf(schema, 'pattern'));
  if (pattern !== undefined) {
    return pattern;
  }
  const all = new Set(typesOf(schema));
  if (all.has('boolean') && all.size > 1) {
    const others = ['string', 'number', 'array', 'object'].filter((type) => all.has(type));
    return alternatives.format(['`true`', '`false`', ...others.map((type) => types.get(type) ?? '')]);
  }
  const type = partOf(schema, 'type');
  return type === 'integer' ? takesWholeNumber(schema) : (types.get(type) ?? 'a text');
}

/** The types of all alternatives, besides a variable and null. */
function typesOf({ type = [], pattern, anyOf = [] }: JsonSchema): readonly string[] {
  return pattern === expansion.pattern
    ? []
    : [type, ...anyOf.map(typesOf)].flat().filter((one) => one !== 'null');
}

function takesWholeNumber(schema: JsonSchema): string {
  const maximum = partOf(schema, 'maximum');
  return `a whole number from ${partOf(schema, 'minimum') ?? 0} ${maximum === undefined ? 'up' : `to ${maximum}`}`;
}
