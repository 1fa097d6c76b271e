// The kinds of changes: one table, from which texts, documents and the JSON Schema are made. Kinds of the API schema
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
  readonly advice?: string;
}

const retire = 'Deprecate it first, and remove it when no client uses it.';
const inTwoSteps = 'Add it as optional first; require it when every client sends it.';
const anotherField =
  'Add another element with the new type, deprecate this one, and remove it when no client uses it.';
const gatewayLimit = 'Raise the limit, or change the operation and wait until no client sends the old one.';

export const kinds = {
  // Types
  TYPE_ADDED: { level: 'safe', says: 'is added' },
  TYPE_REMOVED: { level: 'breaking', says: 'is removed', advice: retire },
  TYPE_KIND_CHANGED: { level: 'breaking', says: 'is another kind of type', advice: anotherField },
  DESCRIPTION_CHANGED: { level: 'safe', says: 'has another description' },
  SPECIFIED_BY_CHANGED: { level: 'dangerous', says: 'has another specification' },
  OBJECT_TYPE_INTERFACE_ADDED: { level: 'dangerous', says: 'implements another interface' },
  OBJECT_TYPE_INTERFACE_REMOVED: {
    level: 'breaking',
    says: 'no longer implements an interface',
    advice: retire,
  },
  UNION_MEMBER_ADDED: { level: 'dangerous', says: 'has another member' },
  UNION_MEMBER_REMOVED: { level: 'breaking', says: 'lost a member', advice: retire },
  ENUM_VALUE_ADDED: { level: 'dangerous', says: 'is added' },
  ENUM_VALUE_REMOVED: { level: 'breaking', says: 'is removed', advice: retire },
  SCHEMA_QUERY_TYPE_CHANGED: { level: 'breaking', says: 'has another query type' },
  SCHEMA_MUTATION_TYPE_CHANGED: { level: 'breaking', says: 'has another mutation type' },
  SCHEMA_SUBSCRIPTION_TYPE_CHANGED: { level: 'breaking', says: 'has another subscription type' },
  // Fields and arguments
  FIELD_ADDED: { level: 'safe', says: 'is added' },
  FIELD_REMOVED: { level: 'breaking', says: 'is removed', advice: retire },
  FIELD_TYPE_CHANGED: { level: 'breaking', says: 'has another type', advice: anotherField },
  FIELD_ARGUMENT_ADDED: { level: 'dangerous', says: 'is added' },
  REQUIRED_ARGUMENT_ADDED: { level: 'breaking', says: 'is added, and required', advice: inTwoSteps },
  FIELD_ARGUMENT_REMOVED: { level: 'breaking', says: 'is removed', advice: retire },
  FIELD_ARGUMENT_TYPE_CHANGED: { level: 'breaking', says: 'has another type', advice: anotherField },
  FIELD_ARGUMENT_DEFAULT_CHANGED: { level: 'dangerous', says: 'has another default' },
  DEPRECATION_ADDED: { level: 'safe', says: 'is deprecated' },
  DEPRECATION_REMOVED: { level: 'safe', says: 'is no longer deprecated' },
  DEPRECATION_REASON_CHANGED: { level: 'safe', says: 'is deprecated for another reason' },
  // Inputs
  INPUT_FIELD_ADDED: { level: 'safe', says: 'is added' },
  REQUIRED_INPUT_FIELD_ADDED: { level: 'breaking', says: 'is added, and required', advice: inTwoSteps },
  INPUT_FIELD_REMOVED: { level: 'breaking', says: 'is removed', advice: retire },
  INPUT_FIELD_TYPE_CHANGED: { level: 'breaking', says: 'has another type', advice: anotherField },
  INPUT_FIELD_DEFAULT_CHANGED: { level: 'dangerous', says: 'has another default' },
  ONE_OF_ADDED: { level: 'breaking', says: 'takes exactly one of its fields (@oneOf)' },
  ONE_OF_REMOVED: { level: 'safe', says: 'takes any of its fields (no @oneOf)' },
  // Directives of operations
  DIRECTIVE_ADDED: { level: 'safe', says: 'is added' },
  DIRECTIVE_REMOVED: { level: 'breaking', says: 'is removed', advice: retire },
  DIRECTIVE_LOCATION_ADDED: { level: 'safe', says: 'has another location' },
  DIRECTIVE_LOCATION_REMOVED: { level: 'breaking', says: 'lost a location' },
  DIRECTIVE_REPEATABLE_ADDED: { level: 'safe', says: 'is repeatable' },
  DIRECTIVE_REPEATABLE_REMOVED: { level: 'breaking', says: 'is no longer repeatable' },
  DIRECTIVE_ARGUMENT_ADDED: { level: 'safe', says: 'is added' },
  REQUIRED_DIRECTIVE_ARGUMENT_ADDED: {
    level: 'breaking',
    says: 'is added, and required',
    advice: inTwoSteps,
  },
  DIRECTIVE_ARGUMENT_REMOVED: { level: 'breaking', says: 'is removed', advice: retire },
  DIRECTIVE_ARGUMENT_TYPE_CHANGED: { level: 'breaking', says: 'has another type', advice: anotherField },
  DIRECTIVE_ARGUMENT_DEFAULT_CHANGED: { level: 'dangerous', says: 'has another default' },
  // Federation
  SUBGRAPH_ADDED: { level: 'safe', says: 'is added' },
  SUBGRAPH_REMOVED: { level: 'dangerous', says: 'is removed' },
  SUBGRAPH_RENAMED: {
    level: 'dangerous',
    says: 'has another name',
    advice: 'Rename it in router.yaml, dashboards and alerts too.',
  },
  ROUTING_URL_CHANGED: { level: 'dangerous', says: 'has another routing URL' },
  KEY_ADDED: { level: 'safe', says: 'has another @key' },
  KEY_REMOVED: { level: 'dangerous', says: 'lost a @key' },
  KEY_RESOLVABLE_CHANGED: { level: 'dangerous', says: 'has a @key that is resolved elsewhere' },
  INTERFACE_OBJECT_ADDED: { level: 'dangerous', says: 'is an @interfaceObject' },
  INTERFACE_OBJECT_REMOVED: { level: 'dangerous', says: 'is not an @interfaceObject any more' },
  TYPE_JOINED: { level: 'safe', says: 'is defined in another subgraph' },
  TYPE_LEFT: { level: 'dangerous', says: 'is no longer defined in a subgraph' },
  FIELD_MOVED: { level: 'dangerous', says: 'is resolved by another subgraph' },
  FIELD_RESOLVER_ADDED: { level: 'safe', says: 'is resolved by one more subgraph' },
  FIELD_RESOLVER_REMOVED: { level: 'dangerous', says: 'is resolved by one subgraph less' },
  OVERRIDE_CHANGED: { level: 'dangerous', says: 'has another @override' },
  REQUIRES_CHANGED: { level: 'dangerous', says: 'has another @requires' },
  PROVIDES_CHANGED: { level: 'dangerous', says: 'has another @provides' },
  EXTERNAL_CHANGED: { level: 'safe', says: 'has another @external' },
  CONTEXT_CHANGED: { level: 'dangerous', says: 'has another @context or @fromContext' },
  SHAREABLE_ADDED: { level: 'safe', says: 'is @shareable' },
  SHAREABLE_REMOVED: { level: 'safe', says: 'is no longer @shareable' },
  DEPLOY_IN_TWO_STEPS: {
    level: 'dangerous',
    says: 'cannot be deployed before the supergraph, nor after it',
    advice: 'Make the change in two steps: add what is new, deploy both, and then remove what is old.',
  },
  COMPOSITION_HINT: { level: 'dangerous', says: 'is a new hint of composition' },
  LINK_CHANGED: { level: 'dangerous', says: 'links another version of a specification' },
  COMPOSE_DIRECTIVE_CHANGED: { level: 'dangerous', says: 'composes other directives (@composeDirective)' },
  // Directives of the gateway
  INACCESSIBLE_ADDED: { level: 'safe', says: 'is @inaccessible' },
  INACCESSIBLE_REMOVED: {
    level: 'dangerous',
    says: 'is no longer @inaccessible: clients see it',
    advice: 'Protect it with @authenticated or @requiresScopes if not everybody may see it.',
  },
  TAG_ADDED: { level: 'dangerous', says: 'has another @tag' },
  TAG_REMOVED: { level: 'dangerous', says: 'lost a @tag' },
  AUTHORIZATION_TIGHTENED: { level: 'breaking', says: 'needs more authorization' },
  AUTHORIZATION_LOOSENED: { level: 'security', says: 'needs less authorization' },
  COST_CHANGED: { level: 'dangerous', says: 'has another @cost' },
  LIST_SIZE_CHANGED: { level: 'dangerous', says: 'has another @listSize' },
  PAGE_SIZE_RAISED: { level: 'safe', says: 'takes larger pages' },
  PAGE_SIZE_LOWERED: { level: 'dangerous', says: 'takes smaller pages only' },
  CACHE_HINT_CHANGED: { level: 'dangerous', says: 'has another cache hint' },
  CACHE_SCOPE_WIDENED: { level: 'security', says: 'may be cached for all callers' },
  CACHE_TAG_CHANGED: { level: 'dangerous', says: 'has another @cacheTag' },
  DIRECTIVE_USAGE_ADDED: { level: 'dangerous', says: 'has another directive' },
  DIRECTIVE_USAGE_REMOVED: { level: 'dangerous', says: 'lost a directive' },
  // Operations of clients
  OPERATION_INVALID: { level: 'breaking', says: 'is no longer valid' },
  OPERATION_NOT_PLANNED: { level: 'breaking', says: 'cannot be planned any more' },
  OPERATION_ROUNDS_ADDED: { level: 'dangerous', says: 'takes more rounds of fetches' },
  OPERATION_FETCHES_ADDED: { level: 'dangerous', says: 'takes more fetches' },
  OPERATION_PLAN_CHANGED: { level: 'safe', says: 'has another plan' },
  OPERATION_COST_ADDED: { level: 'dangerous', says: 'costs more' },
  OPERATION_TOO_EXPENSIVE: {
    level: 'breaking',
    says: 'costs more than the gateway allows',
    advice: gatewayLimit,
  },
  OPERATION_PAGE_TOO_LARGE: {
    level: 'breaking',
    says: 'asks for a larger page than the field allows',
    advice: gatewayLimit,
  },
  OPERATION_TOO_DEEP: { level: 'breaking', says: 'is deeper than the gateway allows', advice: gatewayLimit },
  OPERATION_TOO_MANY_ALIASES: {
    level: 'breaking',
    says: 'has more aliases than the gateway allows',
    advice: gatewayLimit,
  },
  OPERATION_TOO_MANY_ROOT_FIELDS: {
    level: 'breaking',
    says: 'has more root fields than the gateway allows',
    advice: gatewayLimit,
  },
  OPERATION_OVER_LIMIT: { level: 'breaking', says: 'is over a limit of the gateway', advice: gatewayLimit },
  OPERATION_LESS_CACHEABLE: { level: 'dangerous', says: 'is less cacheable' },
  OPERATION_CACHE_SCOPE_WIDENED: { level: 'security', says: 'may be cached for all callers' },
  OPERATION_NEEDS_SCOPE: { level: 'breaking', says: 'needs more authorization' },
  IDENTIFIER_REMOVED: {
    level: 'breaking',
    says: 'left the manifest',
    advice: 'Keep it until no client sends it: `pnpm manifest` does, unless it is called with --retire.',
  },
  IDENTIFIER_TEXT_CHANGED: {
    level: 'breaking',
    says: 'has another text',
    advice: 'Give the new text a new identifier.',
  },
  // The configuration of the gateway and of this check
  LIMIT_LOOSENED: { level: 'dangerous', says: 'is a looser limit; for this change, the former one counts' },
  SAFELIST_OFF: { level: 'dangerous', says: 'is off: clients may send operations that no manifest has' },
  SAFELIST_MISSING: {
    level: 'dangerous',
    says: 'is registered, but the safelist of router.yaml is off: `any` counts',
    advice: 'Turn the safelist on, or say operations: any.',
  },
  RULES_LOOSENED: { level: 'dangerous', says: 'is a looser rule; for this change, the former one counts' },
  // Rules for schemas
  LINT_NO_AUTHORIZATION: {
    level: 'lint',
    says: 'does not say who may use it',
    advice: 'Put @requiresScopes or @policy on a mutation, and one of them or @authenticated on a query.',
  },
  LINT_NO_LIST_SIZE: {
    level: 'lint',
    says: 'is a list of objects without @listSize',
    advice:
      'Give a list that can grow the argument `first` with @pageSize, and @listSize(slicingArguments:); any other @listSize(assumedSize:).',
  },
  LINT_NO_PAGE_SIZE: {
    level: 'lint',
    says: 'has no upper bound',
    advice: 'Put @pageSize(max:) on it.',
  },
  LINT_NO_DEPRECATION_REASON: {
    level: 'lint',
    says: 'is deprecated without a reason',
    advice: 'Say what to use instead: @deprecated(reason: "Use …").',
  },
  LINT_NO_DESCRIPTION: {
    level: 'lint',
    says: 'has no description',
    advice: 'Describe it: clients read the schema, not the code.',
  },
  LINT_ID_TYPE: {
    level: 'lint',
    says: 'is an identifier of another type than ID',
    advice: 'Use ID, and ID! for the field `id`.',
  },
  LINT_NAME: {
    level: 'lint',
    says: 'is not spelt as others of its kind',
    advice: 'Types are in PascalCase, enum values in UPPER_CASE; fields and arguments are in camelCase.',
  },
  LINT_NON_NULL_ROOT_FIELD: {
    level: 'lint',
    says: 'is a root field that is never null',
    advice: 'Make it nullable: where a non-null root field fails, the response has no data at all.',
  },
} as const satisfies Record<string, Kind>;

export type ChangeKind = keyof typeof kinds;

/** True for the name of a kind. */
export function isChangeKind(name: string): name is ChangeKind {
  return Object.hasOwn(kinds, name);
}
