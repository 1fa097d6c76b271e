import type { Change } from '../change.ts';
import type { ChangeKind } from '../kinds.ts';
import type { Hit } from './hit.ts';
import type { ReadOperation } from './read-operation.ts';

/** An operation, with its validity over the changed schema. */
export interface CheckedOperation extends ReadOperation {
  /** Absent where its text is not known. */
  readonly isInvalid: boolean | undefined;
}

/** Decides in which way a change concerns an operation; undefined where it does not. */
type Rule = (change: Change, operation: CheckedOperation) => Omit<Hit, 'operation'> | undefined;

/** The rule of each kind. A kind without one concerns no single operation, or what it does to plans says which. */
export function hitOf(change: Change, operation: CheckedOperation): Hit | undefined {
  const found = rules[change.kind]?.(change, operation);
  return found && { operation: operation.operation, ...found };
}

const selects = (how: Hit['how']): Rule => {
  const found = { how, isCertain: true };
  return ({ coordinate }, { facts }) => (facts.fields.has(coordinate) ? found : undefined);
};

const resolves: Rule = ({ coordinate }, { facts }) =>
  facts.resolvedFields.has(withoutArgument(coordinate)) || facts.types.has(coordinate)
    ? { how: 'uses', isCertain: true }
    : undefined;

/** For changes that break operations that contain the element: the validation of the whole operation decides. */
const breaksText: Rule = ({ coordinate }, { facts, isInvalid }) => {
  const isConcerned =
    facts.fields.has(withoutArgument(coordinate)) ||
    facts.types.has(coordinate) ||
    facts.variableTypes.has(coordinate) ||
    facts.directives.has(withoutArgument(coordinate)) ||
    coordinate === 'schema';
  return isConcerned ? invalid(isInvalid) : undefined;
};

const omits: Rule = ({ coordinate }, { facts }) =>
  facts.omitted.has(coordinate) ? { how: 'uses', isCertain: true } : undefined;

/** For an element of an input that clients send: in the text, or in variables. */
const sendsElement: Rule = ({ coordinate }, { facts, isInvalid, operation, document }) => {
  const [type = ''] = coordinate.split('.');
  if (facts.written.has(coordinate)) {
    return invalid(isInvalid);
  }
  return facts.variableTypes.has(type) || document === undefined
    ? sent(operation.sentInputs, coordinate)
    : undefined;
};

/** For an input object of which every value changes its meaning. */
const sendsObject: Rule = ({ coordinate }, { facts, isInvalid, operation, document }) => {
  const [type = ''] = coordinate.split('.');
  if (facts.variableTypes.has(type) || document === undefined) {
    return sent(operation.sentInputs, type);
  }
  return facts.types.has(type) ? invalid(isInvalid) : undefined;
};

const changesInput: Rule = (change, operation) =>
  sendsElement(change, operation) ??
  (change.after?.endsWith('!') === true && change.before?.endsWith('!') === false
    ? sendsObject(change, operation)
    : undefined);

const changesEnum: Rule = (change, operation) =>
  sendsElement(change, operation) ??
  (operation.facts.returnedEnums.has(typeOf(change)) ? { how: 'response', isCertain: true } : undefined);

const addsEnumValue: Rule = (change, { facts }) =>
  facts.returnedEnums.has(typeOf(change)) ? { how: 'response', isCertain: true } : undefined;

const addsMember: Rule = ({ kind, coordinate, after = '' }, { facts }) =>
  facts.abstractTypes.has(kind === 'UNION_MEMBER_ADDED' ? coordinate : after)
    ? { how: 'response', isCertain: true }
    : undefined;

const removesMember: Rule = ({ coordinate, before = '' }, { facts, isInvalid }) =>
  facts.types.has(coordinate) || facts.types.has(before) ? invalid(isInvalid) : undefined;

const rules: { readonly [Kind in ChangeKind]?: Rule } = {
  TYPE_REMOVED: breaksText,
  TYPE_KIND_CHANGED: breaksText,
  OBJECT_TYPE_INTERFACE_ADDED: addsMember,
  OBJECT_TYPE_INTERFACE_REMOVED: removesMember,
  UNION_MEMBER_ADDED: addsMember,
  UNION_MEMBER_REMOVED: removesMember,
  ENUM_VALUE_ADDED: addsEnumValue,
  ENUM_VALUE_REMOVED: changesEnum,
  SCHEMA_QUERY_TYPE_CHANGED: breaksText,
  SCHEMA_MUTATION_TYPE_CHANGED: breaksText,
  SCHEMA_SUBSCRIPTION_TYPE_CHANGED: breaksText,
  FIELD_REMOVED: selects('invalid'),
  FIELD_TYPE_CHANGED: selects('response'),
  REQUIRED_ARGUMENT_ADDED: breaksText,
  FIELD_ARGUMENT_REMOVED: breaksText,
  FIELD_ARGUMENT_TYPE_CHANGED: breaksText,
  FIELD_ARGUMENT_DEFAULT_CHANGED: omits,
  DEPRECATION_ADDED: resolves,
  REQUIRED_INPUT_FIELD_ADDED: sendsObject,
  INPUT_FIELD_REMOVED: sendsElement,
  INPUT_FIELD_TYPE_CHANGED: changesInput,
  INPUT_FIELD_DEFAULT_CHANGED: (change, operation) =>
    omits(change, operation) ?? sendsObject(change, operation),
  ONE_OF_ADDED: sendsObject,
  DIRECTIVE_REMOVED: breaksText,
  DIRECTIVE_LOCATION_REMOVED: breaksText,
  DIRECTIVE_REPEATABLE_REMOVED: breaksText,
  REQUIRED_DIRECTIVE_ARGUMENT_ADDED: breaksText,
  DIRECTIVE_ARGUMENT_REMOVED: breaksText,
  DIRECTIVE_ARGUMENT_TYPE_CHANGED: breaksText,
  FIELD_MOVED: resolves,
  OVERRIDE_CHANGED: resolves,
  REQUIRES_CHANGED: resolves,
  PROVIDES_CHANGED: resolves,
  CONTEXT_CHANGED: resolves,
  AUTHORIZATION_TIGHTENED: resolves,
  AUTHORIZATION_LOOSENED: resolves,
  COST_CHANGED: resolves,
  LIST_SIZE_CHANGED: resolves,
  PAGE_SIZE_LOWERED: resolves,
  CACHE_HINT_CHANGED: resolves,
  CACHE_SCOPE_WIDENED: resolves,
  CACHE_TAG_CHANGED: resolves,
};

/** Assumed if the text is unknown. */
function invalid(isInvalid: boolean | undefined): Omit<Hit, 'operation'> | undefined {
  return isInvalid === false ? undefined : { how: 'invalid', isCertain: isInvalid === true };
}

function sent(
  inputs: ReadonlySet<string> | undefined,
  coordinate: string,
): Omit<Hit, 'operation'> | undefined {
  if (inputs === undefined) {
    return { how: 'variables', isCertain: false };
  }
  return inputs.has(coordinate) ? { how: 'variables', isCertain: true } : undefined;
}

function typeOf({ coordinate }: Change): string {
  return coordinate.slice(0, coordinate.indexOf('.'));
}

function withoutArgument(coordinate: string): string {
  const bracket = coordinate.indexOf('(');
  return bracket === -1 ? coordinate : coordinate.slice(0, bracket);
}
