import { hash } from 'node:crypto';

import type { Supergraph } from '@meridian/executor';
import { isRecord } from '@meridian/settings/values';
import type { ConstDirectiveNode, FieldNode, GraphQLNamedType } from 'graphql';
import { Kind, getArgumentValues, parse } from 'graphql';

import { joinedDirectives, subgraphValues } from '../supergraph/applied-directives.ts';

type Values = Readonly<Record<string, unknown>>;

export function typeTag(type: string): string {
  return `type:${type}`;
}

/** An entity by the fields of one of its keys. */
export function entityTag(type: string, key: Values): string {
  return `entity:${type}:${hash('sha256', canonical(key), 'base64url')}`;
}

/** Of `@cacheTag`, or of a response. */
export function namedTag(name: string): string {
  return `named:${name}`;
}

/** `@cacheTag` in a supergraph: Apollo's composition keeps it as a directive of `join`. */
const cacheTagName = 'federation__cacheTag';

/** The tags of one subgraph's responses, apart from those that the responses name. */
export function cacheTags({ schema }: Pick<Supergraph, 'schema'>, subgraph: string) {
  const graph = subgraphValues(schema).get(subgraph) ?? '';
  const query = schema.getQueryType();
  const entities = new Map<string, EntityTags>();
  const tagsOf = (type: string): EntityTags => {
    const known = entities.get(type) ?? entityTags(schema.getType(type), graph);
    entities.set(type, known);
    return known;
  };
  return {
    /** The type, the entity by each of its keys, and `@cacheTag` of the type. */
    ofEntity(representation: Values): readonly string[] {
      const type = String(representation['__typename']);
      const { keys, formats } = tagsOf(type);
      return [
        typeTag(type),
        ...keys.flatMap((fields) => {
          const key = pick(representation, fields);
          return key === undefined ? [] : [entityTag(type, key)];
        }),
        ...formats.flatMap((format) => filled(format, { $key: representation })),
      ];
    },
    /** The type, and `@cacheTag` of each field. */
    ofRootFields(fields: readonly FieldNode[], variables: Values): readonly string[] {
      const tags = new Set([typeTag(query?.name ?? 'Query')]);
      for (const field of fields) {
        const definition = query?.getFields()[field.name.value];
        const formats = formatsOf(definition?.astNode?.directives, graph);
        if (definition !== undefined && formats.length > 0) {
          const $args = argumentsOf(definition, field, variables);
          formats.flatMap((format) => filled(format, { $args })).forEach((tag) => tags.add(tag));
        }
      }
      return [...tags];
    },
  };
}

function argumentsOf(
  definition: Parameters<typeof getArgumentValues>[0],
  field: FieldNode,
  variables: Values,
): Values {
  try {
    return getArgumentValues(definition, field, variables);
  } catch {
    // The subgraph judges them.
    return {};
  }
}

interface EntityTags {
  readonly keys: readonly KeyFields[];
  readonly formats: readonly string[];
}

/** The fields of a key, each with the fields below it. */
type KeyFields = ReadonlyMap<string, KeyFields>;

function entityTags(type: GraphQLNamedType | undefined, graph: string): EntityTags {
  const directives = type?.astNode && 'directives' in type.astNode ? type.astNode.directives : [];
  return {
    keys: joinedDirectives('join__type', directives).flatMap(({ graph: of, key }) =>
      of === graph && typeof key === 'string' ? [keyFields(key)] : [],
    ),
    formats: formatsOf(directives, graph),
  };
}

function formatsOf(directives: readonly ConstDirectiveNode[] | undefined, graph: string): readonly string[] {
  return joinedDirectives('join__directive', directives).flatMap(({ name, graphs, args }) =>
    name === cacheTagName &&
    Array.isArray(graphs) &&
    graphs.includes(graph) &&
    isRecord(args) &&
    typeof args['format'] === 'string'
      ? [args['format']]
      : [],
  );
}

function keyFields(text: string): KeyFields {
  const [operation] = parse(`{ ${text} }`, { noLocation: true }).definitions;
  return operation?.kind === Kind.OPERATION_DEFINITION ? fieldsIn(operation) : new Map();
}

function fieldsIn({ selectionSet }: Pick<FieldNode, 'selectionSet'>): KeyFields {
  return new Map(
    (selectionSet?.selections ?? []).flatMap((selection) =>
      selection.kind === Kind.FIELD ? [[selection.name.value, fieldsIn(selection)] as const] : [],
    ),
  );
}

/** The fields of a key in a value; undefined where one is missing. */
function pick(value: unknown, fields: KeyFields): Values | undefined {
  const picked: Record<string, unknown> = {};
  for (const [name, below] of fields) {
    const member = isRecord(value) ? value[name] : undefined;
    const part = below.size === 0 ? member : pick(member, below);
    if (part === undefined) {
      return undefined;
    }
    picked[name] = part;
  }
  return picked;
}

/** The tag of a format such as `user-{$key.id}`; none where a value is missing, or is another than a text, a number or a boolean. */
function filled(format: string, values: Values): readonly string[] {
  let isWhole = true;
  const name = format.replaceAll(/\{(\$(?:key|args)[.\w]*)\}/gu, (_all, path: string) => {
    const value = path
      .split('.')
      .reduce<unknown>((held, member) => (isRecord(held) ? held[member] : undefined), values);
    isWhole &&= typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
    return String(value);
  });
  return isWhole ? [namedTag(name)] : [];
}

/** JSON with sorted names, and numbers as texts: an identifier may be written either way. */
function canonical(value: unknown): string {
  if (isRecord(value)) {
    const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
    return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join()}}`;
  }
  return Array.isArray(value) ? `[${value.map(canonical).join()}]` : JSON.stringify(String(value));
}
