import type { Change } from '../change.ts';
import type { HitRule } from '../kinds.ts';
import { kindOf } from '../kinds.ts';
import type { FaultyElements } from './faulty-elements.ts';
import { isCause } from './faulty-elements.ts';
import type { Hit, ReadOperation } from './known-operation.ts';

/** An operation, with its errors over the changed schema. */
export interface CheckedOperation extends ReadOperation {
  /** Absent where its text is not known. */
  readonly faults: readonly Fault[] | undefined;
}

interface Fault extends FaultyElements {
  readonly message: string;
}

/** Decides in which way a change concerns an operation; undefined where it does not. */
type Rule = (change: Change, operation: CheckedOperation) => Effect | undefined;

type Effect = Omit<Hit, 'operation'>;

function effectIf(applies: boolean, how: Hit['how'], isCertain = true): Effect | undefined {
  return applies ? { how, isCertain } : undefined;
}

/** Decides by the rule of the change's kind. */
export function hitOf(change: Change, operation: CheckedOperation): Hit | undefined {
  const { hits } = kindOf(change.kind);
  const found = hits && rules[hits](change, operation);
  return found && { operation: operation.operation, ...found };
}

const selects: Rule = ({ coordinate }, { facts }) => effectIf(facts.fields.has(coordinate), 'invalid');

const resolves: Rule = ({ coordinate }, { facts }) =>
  effectIf(facts.resolvedFields.has(withoutArgument(coordinate)) || facts.types.has(coordinate), 'uses');

/** For changes that break operations that contain the element. */
const breaksText: Rule = (change, { facts, faults }) => {
  const { coordinate } = change;
  if (faults !== undefined) {
    return effectIf(
      faults.some((fault) => isCause(change, fault, facts)),
      'invalid',
    );
  }
  const mayContain = facts.fields.has(withoutArgument(coordinate)) || facts.types.has(coordinate);
  return effectIf(mayContain, 'invalid', false);
};

const changesField: Rule = (change, operation) =>
  breaksText(change, operation) ?? effectIf(operation.facts.fields.has(change.coordinate), 'response');

const changesDefault: Rule = (change, operation) => breaksText(change, operation) ?? omits(change, operation);

const omits: Rule = ({ coordinate }, { facts }) => effectIf(facts.omitted.has(coordinate), 'uses');

/** For another type of an argument: an operation with a variable that may be null may stay valid, and fail for null. */
const changesArgument: Rule = (change, operation) =>
  breaksText(change, operation) ??
  (change.level === 'breaking' ? (losesType(change, operation) ?? sendsNull(change, operation)) : undefined);

/** The type of the argument's variable is gone, which hides that the argument takes another one. */
const losesType: Rule = ({ coordinate, before = '' }, { facts, faults = [] }) => {
  const type = before.replaceAll(/[![\]]/gu, '');
  return effectIf(
    facts.written.has(coordinate) && faults.some(({ elements }) => elements.has(type)),
    'invalid',
  );
};

const sendsNull: Rule = ({ coordinate }, { facts }) =>
  effectIf(facts.nullable.has(coordinate), 'null', false);

/** For an element of an input that clients send: in the text, or in variables. */
const sendsElement: Rule = (change, operation) =>
  breaksText(change, operation) ?? sendsInVariables(change, operation);

const sendsInVariables: Rule = ({ coordinate }, { facts, operation, document }) =>
  facts.variableTypes.has(typeOf(coordinate)) || document === undefined
    ? sent(operation.sentInputs, coordinate)
    : undefined;

/** For an input object of which every value changes its meaning. */
const sendsObject: Rule = (change, operation) =>
  breaksText(change, operation) ??
  sendsInVariables({ ...change, coordinate: typeOf(change.coordinate) }, operation);

const changesInput: Rule = (change, operation) =>
  sendsElement(change, operation) ??
  sendsNull(change, operation) ??
  (change.after?.endsWith('!') === true && change.before?.endsWith('!') === false
    ? sendsObject(change, operation)
    : undefined);

const removesEnumValue: Rule = (change, operation) =>
  breaksText(change, operation) ?? addsEnumValue(change, operation) ?? sendsInVariables(change, operation);

const addsEnumValue: Rule = ({ coordinate }, { facts }) =>
  effectIf(facts.returnedEnums.has(typeOf(coordinate)), 'response');

/** For another set of members: responses have other types, or less in a list. */
const changesMembers: Rule = (change, operation) => {
  const { kind, coordinate, before, after = before ?? '' } = change;
  const abstract = kind.startsWith('UNION_') ? coordinate : after;
  return breaksText(change, operation) ?? effectIf(operation.facts.abstractTypes.has(abstract), 'response');
};

/** A member of a union leaves the union as well, which is a change of its own. */
const removesType: Rule = (change, operation) =>
  breaksText(change, operation) ?? effectIf(operation.facts.implementors.has(change.coordinate), 'response');

const changesInputDefault: Rule = (change, operation) =>
  changesDefault(change, operation) ?? sendsObject(change, operation);

const rules: Readonly<Record<HitRule, Rule>> = {
  breaksText,
  selects,
  changesField,
  changesDefault,
  changesArgument,
  changesInput,
  changesInputDefault,
  sendsElement,
  sendsObject,
  removesEnumValue,
  addsEnumValue,
  changesMembers,
  removesType,
  resolves,
};

function sent(inputs: ReadonlySet<string> | undefined, coordinate: string): Effect | undefined {
  return effectIf(inputs?.has(coordinate) ?? true, 'variables', inputs !== undefined);
}

function typeOf(coordinate: string): string {
  return coordinate.split('.')[0] ?? '';
}

function withoutArgument(coordinate: string): string {
  const bracket = coordinate.indexOf('(');
  return bracket === -1 ? coordinate : coordinate.slice(0, bracket);
}
