// The kinds of changes: one table of their levels, texts and rules. Kinds of the API schema
// have the names of GraphQL Inspector; docs/schema-checks.md lists where levels differ from graphql-js and GraphQL
// Inspector, and why.

/**
 * From the most severe. `security` needs an approval of its own, also where no operation uses what changed. `lint` is for
 * what no operation notices, but a rule for schemas forbids.
 */
export const levels = ['security', 'breaking', 'dangerous', 'lint', 'safe'] as const;

export type Level = (typeof levels)[number];

/** A kind of change. */
export interface Kind {
  /** Of a change that does not say otherwise: some kinds have changes of two levels. */
  readonly level: Level;
  /** The rest of a sentence that starts with the coordinate. */
  readonly says: string;
  /** The next step of the team, where it is not to approve. */
  readonly advice: string | undefined;
  /**
   * The rule by which it concerns an operation. Absent for a kind that concerns no single one, and where what it does to
   * plans says which.
   */
  readonly hits: HitRule | undefined;
}

const retire = 'Deprecate it first, and remove it when no client uses it.';
const inTwoSteps = 'Add it as optional first; require it when every client sends it.';
const anotherField =
  'Add another element with the new type, deprecate this one, and remove it when no client uses it.';
const gatewayLimit = 'Raise the limit, or change the operation and wait until no client sends the old one.';

/** Kind → its level, the rest of a sentence about it, the rule by which it hits operations, and advice. */
const table = {
  // Types
  TYPE_ADDED: ['safe', 'is added'],
  TYPE_REMOVED: ['breaking', 'is removed', 'removesType', retire],
  TYPE_KIND_CHANGED: ['breaking', 'is another kind of type', 'breaksText', anotherField],
  DESCRIPTION_CHANGED: ['safe', 'has another description'],
  SPECIFIED_BY_CHANGED: ['dangerous', 'has another specification', 'resolves'],
  OBJECT_TYPE_INTERFACE_ADDED: ['dangerous', 'implements another interface', 'changesMembers'],
  OBJECT_TYPE_INTERFACE_REMOVED: ['breaking', 'no longer implements an interface', 'changesMembers', retire],
  UNION_MEMBER_ADDED: ['dangerous', 'has another member', 'changesMembers'],
  UNION_MEMBER_REMOVED: ['breaking', 'lost a member', 'changesMembers', retire],
  ENUM_VALUE_ADDED: ['dangerous', 'is added', 'addsEnumValue'],
  ENUM_VALUE_REMOVED: ['breaking', 'is removed', 'removesEnumValue', retire],
  SCHEMA_QUERY_TYPE_CHANGED: ['breaking', 'has another query type', 'breaksText'],
  SCHEMA_MUTATION_TYPE_CHANGED: ['breaking', 'has another mutation type', 'breaksText'],
  SCHEMA_SUBSCRIPTION_TYPE_CHANGED: ['breaking', 'has another subscription type', 'breaksText'],
  // Fields and arguments
  FIELD_ADDED: ['safe', 'is added'],
  FIELD_REMOVED: ['breaking', 'is removed', 'selects', retire],
  FIELD_TYPE_CHANGED: ['breaking', 'has another type', 'changesField', anotherField],
  FIELD_ARGUMENT_ADDED: ['dangerous', 'is added'],
  REQUIRED_ARGUMENT_ADDED: ['breaking', 'is added, and required', 'breaksText', inTwoSteps],
  FIELD_ARGUMENT_REMOVED: ['breaking', 'is removed', 'breaksText', retire],
  FIELD_ARGUMENT_TYPE_CHANGED: ['breaking', 'has another type', 'changesArgument', anotherField],
  FIELD_ARGUMENT_DEFAULT_CHANGED: ['dangerous', 'has another default', 'changesDefault'],
  DEPRECATION_ADDED: ['safe', 'is deprecated', 'resolves'],
  DEPRECATION_REMOVED: ['safe', 'is no longer deprecated'],
  DEPRECATION_REASON_CHANGED: ['safe', 'is deprecated for another reason'],
  // Inputs
  INPUT_FIELD_ADDED: ['safe', 'is added'],
  REQUIRED_INPUT_FIELD_ADDED: ['breaking', 'is added, and required', 'sendsObject', inTwoSteps],
  INPUT_FIELD_REMOVED: ['breaking', 'is removed', 'sendsElement', retire],
  INPUT_FIELD_TYPE_CHANGED: ['breaking', 'has another type', 'changesInput', anotherField],
  INPUT_FIELD_DEFAULT_CHANGED: ['dangerous', 'has another default', 'changesInputDefault'],
  ONE_OF_ADDED: ['breaking', 'takes exactly one of its fields (@oneOf)', 'sendsObject'],
  ONE_OF_REMOVED: ['safe', 'takes any of its fields (no @oneOf)'],
  // Directives of operations
  DIRECTIVE_ADDED: ['safe', 'is added'],
  DIRECTIVE_REMOVED: ['breaking', 'is removed', 'breaksText', retire],
  DIRECTIVE_LOCATION_ADDED: ['safe', 'has another location'],
  DIRECTIVE_LOCATION_REMOVED: ['breaking', 'lost a location', 'breaksText'],
  DIRECTIVE_REPEATABLE_ADDED: ['safe', 'is repeatable'],
  DIRECTIVE_REPEATABLE_REMOVED: ['breaking', 'is no longer repeatable', 'breaksText'],
  DIRECTIVE_ARGUMENT_ADDED: ['safe', 'is added'],
  REQUIRED_DIRECTIVE_ARGUMENT_ADDED: ['breaking', 'is added, and required', 'breaksText', inTwoSteps],
  DIRECTIVE_ARGUMENT_REMOVED: ['breaking', 'is removed', 'breaksText', retire],
  DIRECTIVE_ARGUMENT_TYPE_CHANGED: ['breaking', 'has another type', 'changesArgument', anotherField],
  DIRECTIVE_ARGUMENT_DEFAULT_CHANGED: ['dangerous', 'has another default', 'changesDefault'],
  // Federation
  SUBGRAPH_ADDED: ['safe', 'is added'],
  SUBGRAPH_REMOVED: ['dangerous', 'is removed'],
  SUBGRAPH_RENAMED: [
    'dangerous',
    'has another name',
    undefined,
    'Rename it in router.yaml, dashboards and alerts too.',
  ],
  ROUTING_URL_CHANGED: ['dangerous', 'has another routing URL'],
  KEY_ADDED: ['safe', 'has another @key'],
  KEY_REMOVED: ['dangerous', 'lost a @key'],
  KEY_RESOLVABLE_CHANGED: ['dangerous', 'has a @key that is resolved elsewhere'],
  INTERFACE_OBJECT_ADDED: ['dangerous', 'is an @interfaceObject'],
  INTERFACE_OBJECT_REMOVED: ['dangerous', 'is not an @interfaceObject any more'],
  TYPE_JOINED: ['safe', 'is defined in another subgraph'],
  TYPE_LEFT: ['dangerous', 'is no longer defined in a subgraph'],
  FIELD_MOVED: ['dangerous', 'is resolved by another subgraph', 'resolves'],
  FIELD_RESOLVER_ADDED: ['safe', 'is resolved by one more subgraph'],
  FIELD_RESOLVER_REMOVED: ['dangerous', 'is resolved by one subgraph less'],
  OVERRIDE_CHANGED: ['dangerous', 'has another @override', 'resolves'],
  REQUIRES_CHANGED: ['dangerous', 'has another @requires', 'resolves'],
  PROVIDES_CHANGED: ['dangerous', 'has another @provides', 'resolves'],
  EXTERNAL_CHANGED: ['safe', 'has another role'],
  CONTEXT_CHANGED: ['dangerous', 'has another @context or @fromContext', 'resolves'],
  SHAREABLE_ADDED: ['safe', 'is @shareable'],
  SHAREABLE_REMOVED: ['safe', 'is no longer @shareable'],
  DEPLOY_IN_TWO_STEPS: [
    'dangerous',
    'cannot be deployed before the supergraph, nor after it',
    undefined,
    'Make the change in two steps: add what is new, deploy both, and then remove what is old.',
  ],
  COMPOSITION_HINT: ['dangerous', 'is a new hint of composition'],
  LINK_CHANGED: ['dangerous', 'links another version of a specification'],
  COMPOSE_DIRECTIVE_CHANGED: ['dangerous', 'composes other directives (@composeDirective)'],
  // Directives of the gateway
  INACCESSIBLE_ADDED: ['safe', 'is @inaccessible'],
  INACCESSIBLE_REMOVED: [
    'dangerous',
    'is no longer @inaccessible: clients see it',
    undefined,
    'Protect it with @authenticated or @requiresScopes if not everybody may see it.',
  ],
  TAG_ADDED: ['dangerous', 'has another @tag'],
  TAG_REMOVED: ['dangerous', 'lost a @tag'],
  AUTHORIZATION_TIGHTENED: ['breaking', 'needs more authorization', 'resolves'],
  AUTHORIZATION_LOOSENED: ['security', 'needs less authorization', 'resolves'],
  COST_CHANGED: ['dangerous', 'has another @cost', 'resolves'],
  LIST_SIZE_CHANGED: ['dangerous', 'has another @listSize', 'resolves'],
  PAGE_SIZE_RAISED: ['safe', 'takes larger pages'],
  PAGE_SIZE_LOWERED: ['dangerous', 'takes smaller pages only', 'resolves'],
  CACHE_HINT_CHANGED: ['dangerous', 'has another cache hint', 'resolves'],
  CACHE_SCOPE_WIDENED: ['security', 'may be cached for all callers', 'resolves'],
  CACHE_TAG_CHANGED: ['dangerous', 'has another @cacheTag', 'resolves'],
  DIRECTIVE_USAGE_ADDED: ['dangerous', 'has another directive'],
  DIRECTIVE_USAGE_REMOVED: ['dangerous', 'lost a directive'],
  // Operations of clients
  OPERATION_INVALID: ['breaking', 'is not valid over the changed graph'],
  OPERATION_NOT_PLANNED: ['breaking', 'cannot be planned any more'],
  OPERATION_ROUNDS_ADDED: ['dangerous', 'takes more rounds of fetches'],
  OPERATION_FETCHES_ADDED: ['dangerous', 'takes more fetches'],
  OPERATION_PLAN_CHANGED: ['safe', 'has another plan'],
  OPERATION_COST_ADDED: ['dangerous', 'costs more'],
  OPERATION_TOO_EXPENSIVE: ['breaking', 'costs more than the gateway allows', undefined, gatewayLimit],
  OPERATION_PAGE_TOO_LARGE: [
    'breaking',
    'asks for a larger page than the field allows',
    undefined,
    gatewayLimit,
  ],
  OPERATION_TOO_DEEP: ['breaking', 'is deeper than the gateway allows', undefined, gatewayLimit],
  OPERATION_TOO_MANY_ALIASES: [
    'breaking',
    'has more aliases than the gateway allows',
    undefined,
    gatewayLimit,
  ],
  OPERATION_TOO_MANY_ROOT_FIELDS: [
    'breaking',
    'has more root fields than the gateway allows',
    undefined,
    gatewayLimit,
  ],
  OPERATION_OVER_LIMIT: ['breaking', 'is over a limit of the gateway', undefined, gatewayLimit],
  OPERATION_LESS_CACHEABLE: ['dangerous', 'is less cacheable'],
  OPERATION_CACHE_SCOPE_WIDENED: ['security', 'may be cached for all callers'],
  OPERATION_NEEDS_SCOPE: ['breaking', 'needs more authorization'],
  IDENTIFIER_REMOVED: [
    'breaking',
    'left the manifest',
    undefined,
    'Keep it until no client sends it: `pnpm manifest` does, unless it is called with --retire.',
  ],
  IDENTIFIER_TEXT_CHANGED: ['breaking', 'has another text', undefined, 'Give the new text a new identifier.'],
  // The configuration of the gateway and of this check
  LIMIT_LOOSENED: ['dangerous', 'is a looser limit; for this change, the former one counts'],
  SAFELIST_OFF: ['dangerous', 'is off: clients may send operations that no manifest has'],
  SAFELIST_MISSING: [
    'dangerous',
    'is registered, but the safelist of router.yaml is off: `any` counts',
    undefined,
    'Turn the safelist on, or say operations: any.',
  ],
  RULES_LOOSENED: ['dangerous', 'is a looser rule; for this change, the former one counts'],
  // Rules for schemas
  LINT_NO_AUTHORIZATION: [
    'lint',
    'does not say who may use it',
    undefined,
    'Put @requiresScopes or @policy on a mutation, and one of them or @authenticated on a query.',
  ],
  LINT_NO_LIST_SIZE: [
    'lint',
    'is a list of objects without @listSize',
    undefined,
    'Give a list that can grow the argument `first` with @pageSize, and @listSize(slicingArguments:); any other @listSize(assumedSize:).',
  ],
  LINT_NO_PAGE_SIZE: ['lint', 'has no upper bound', undefined, 'Put @pageSize(max:) on it.'],
  LINT_NO_DEPRECATION_REASON: [
    'lint',
    'is deprecated without a reason',
    undefined,
    'Say what to use instead: @deprecated(reason: "Use …").',
  ],
  LINT_NO_DESCRIPTION: [
    'lint',
    'has no description',
    undefined,
    'Describe it: clients read the schema, not the code.',
  ],
  LINT_ID_TYPE: [
    'lint',
    'is an identifier of another type than ID',
    undefined,
    'Use ID, and ID! for the field `id`.',
  ],
  LINT_NAME: [
    'lint',
    'is not spelt as others of its kind',
    undefined,
    'Types are in PascalCase, enum values in UPPER_CASE; fields and arguments are in camelCase.',
  ],
  LINT_NON_NULL_ROOT_FIELD: [
    'lint',
    'is a root field that is never null',
    undefined,
    'Make it nullable: where a non-null root field fails, the response has no data at all.',
  ],
} as const satisfies Record<
  string,
  readonly [level: Level, says: string, hits?: string | undefined, advice?: string]
>;

export type ChangeKind = keyof typeof table;

/** A rule of impact/hit-rules.ts, where each says what it looks at. */
export type HitRule = HitRuleIn<(typeof table)[ChangeKind]>;

type HitRuleIn<Row> = Row extends readonly [Level, string, infer Rule extends string, ...unknown[]]
  ? Rule
  : never;

export function kindOf(name: ChangeKind): Kind {
  const [level, says, hits, advice] = table[name];
  return { level, says, hits, advice };
}

/** The removals that `@deprecated` can announce. It applies to neither types nor directives nor identifiers. */
export const announcedKinds: ReadonlySet<ChangeKind> = new Set([
  'ENUM_VALUE_REMOVED',
  'FIELD_REMOVED',
  'FIELD_ARGUMENT_REMOVED',
  'INPUT_FIELD_REMOVED',
]);

/** True for the name of a kind. */
export function isChangeKind(name: string): name is ChangeKind {
  return Object.hasOwn(table, name);
}
