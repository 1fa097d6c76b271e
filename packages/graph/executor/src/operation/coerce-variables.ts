import { ExactNumber } from '@meridian/json';
import type {
  GraphQLEnumType,
  GraphQLInputObjectType,
  GraphQLInputType,
  GraphQLScalarType,
  GraphQLSchema,
  VariableDefinitionNode,
} from 'graphql';
import {
  isEnumType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  isSpecifiedScalarType,
  print,
  typeFromAST,
  valueFromAST,
} from 'graphql';

/** The values of variables by name, or what is wrong with them. */
export type CoercedVariables =
  | { readonly coerced: Readonly<Record<string, unknown>>; readonly faults?: undefined }
  | { readonly coerced?: undefined; readonly faults: readonly VariableFault[] };

export interface VariableFault {
  /** The name of the variable, without `$`. */
  readonly variable: string;
  /** Names types, fields and a path; of what the client sent, at most a scalar or a name, cut to a bounded length. */
  readonly message: string;
}

const maxFaults = 10;
const maxMessageLength = 300;
const maxNameLength = 100;

/**
 * Coerces the variables of a request to the types that its operation declares. It accepts and returns what
 * `getVariableValues` of graphql-js does. That function prints each faulty value into its message, up to ten times; a
 * client chooses how long that takes. Here the cost of a fault does not grow with the value.
 *
 * GraphQL specification §6.1.2 and §3.
 */
export function coerceVariables(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
  variables: Readonly<Record<string, unknown>>,
): CoercedVariables {
  const coerced: Record<string, unknown> = {};
  const faults: VariableFault[] = [];
  for (const definition of definitions) {
    const { value: variable } = definition.variable.name;
    const report: Report = (message, path) => {
      const place = path === undefined ? '' : ` at "${variable}${printPath(path)}"`;
      faults.push({ variable, message: clip(`Variable "$${variable}" is invalid${place}: ${message}`) });
    };
    const run: Coercion = { report, isFull: () => faults.length >= maxFaults };
    const type = typeFromAST(schema, definition.type);
    if (!isInputType(type)) {
      report(`"${print(definition.type)}" is not an input type.`, undefined);
    } else if (Object.hasOwn(variables, variable)) {
      coerced[variable] = coerce(variables[variable], type, undefined, run);
    } else if (definition.defaultValue !== undefined) {
      coerced[variable] = valueFromAST(definition.defaultValue, type);
    } else if (isNonNullType(type)) {
      report(`A value of the type "${String(type)}" is required.`, undefined);
    }
    if (run.isFull()) {
      break;
    }
  }
  return faults.length === 0 ? { coerced } : { faults };
}

/** A member or an item of the value at `parent`; undefined at the variable itself. */
interface Path {
  readonly parent: Path | undefined;
  readonly key: string | number;
}

type Report = (message: string, path: Path | undefined) => void;

interface Coercion {
  readonly report: Report;
  /** True once there are enough faults: the rest of the values is not looked at. */
  readonly isFull: () => boolean;
}

function coerce(value: unknown, type: GraphQLInputType, path: Path | undefined, run: Coercion): unknown {
  if (isNonNullType(type)) {
    if (value === null || value === undefined) {
      run.report(`Expected a value of the type "${String(type)}", not null.`, path);
      return undefined;
    }
    return coerce(value, type.ofType, path, run);
  }
  if (value === null || value === undefined) {
    return null;
  }
  if (isListType(type)) {
    return coerceList(value, type.ofType, path, run);
  }
  return isInputObjectType(type)
    ? coerceInputObject(value, type, path, run)
    : coerceLeaf(value, type, path, run);
}

/** Any other value becomes a list of one. */
function coerceList(
  value: unknown,
  itemType: GraphQLInputType,
  parent: Path | undefined,
  run: Coercion,
): unknown[] {
  if (!Array.isArray(value)) {
    return [coerce(value, itemType, parent, run)];
  }
  const items: unknown[] = [];
  for (let key = 0; key < value.length && !run.isFull(); key += 1) {
    items.push(coerce(value[key], itemType, { parent, key }, run));
  }
  return items;
}

function coerceInputObject(
  value: unknown,
  type: GraphQLInputObjectType,
  path: Path | undefined,
  run: Coercion,
): Record<string, unknown> | undefined {
  if (!isMembers(value)) {
    run.report(`Expected an object of the type "${type.name}".`, path);
    return undefined;
  }
  const fields = type.getFields();
  const coerced: Record<string, unknown> = {};
  for (const { name, type: fieldType, defaultValue } of Object.values(fields)) {
    const member = Object.hasOwn(value, name) ? value[name] : undefined;
    if (member !== undefined) {
      coerced[name] = coerce(member, fieldType, { parent: path, key: name }, run);
    } else if (defaultValue !== undefined) {
      coerced[name] = defaultValue;
    } else if (isNonNullType(fieldType)) {
      run.report(`The field "${name}" of the type "${String(fieldType)}" is required.`, path);
    }
    if (run.isFull()) {
      return undefined;
    }
  }
  for (const name in value) {
    if (Object.hasOwn(value, name) && fields[name] === undefined) {
      run.report(`The type "${type.name}" has no field "${clip(name, maxNameLength)}".`, path);
      if (run.isFull()) {
        return undefined;
      }
    }
  }
  if (type.isOneOf) {
    checkOneOf(coerced, type, path, run);
  }
  return coerced;
}

/** GraphQL specification §3.10.1. */
function checkOneOf(
  coerced: Readonly<Record<string, unknown>>,
  { name }: GraphQLInputObjectType,
  path: Path | undefined,
  { report }: Coercion,
): void {
  const [key, ...others] = Object.keys(coerced);
  if (key === undefined || others.length > 0) {
    report(`Exactly one field of the oneOf type "${name}" must be given.`, path);
  } else if (coerced[key] === null) {
    report(`The field "${key}" of the oneOf type "${name}" must not be null.`, path);
  }
}

function coerceLeaf(
  given: unknown,
  type: GraphQLScalarType | GraphQLEnumType,
  path: Path | undefined,
  { report }: Coercion,
): unknown {
  const isBuiltIn = isEnumType(type) || isSpecifiedScalarType(type);
  // Of a custom scalar it is the value, which is sent with every digit.
  const value = isBuiltIn && given instanceof ExactNumber ? builtInNumber(given, type.name) : given;
  // Their own messages would print the object.
  if (isBuiltIn && typeof value === 'object') {
    report(`${type.name} cannot represent ${Array.isArray(value) ? 'a list' : 'an object'}.`, path);
    return undefined;
  }
  try {
    const parsed: unknown = isEnumType(type) ? type.parseValue(value, true) : type.parseValue(value);
    if (parsed === undefined) {
      report(`Expected a value of the type "${type.name}".`, path);
    }
    return parsed;
  } catch (error) {
    report(error instanceof Error ? error.message : `Expected a value of the type "${type.name}".`, path);
    return undefined;
  }
}

/** A double, but for an identifier, which may be written as an integer of any size: GraphQL specification §3.5.5. */
function builtInNumber(number: ExactNumber, typeName: string): string | number {
  return typeName === 'ID' && integer.test(number.numberText) ? number.numberText : Number(number);
}

const integer = /^-?[1-9]\d*$/;

function isMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
  );
}

function printPath({ parent, key }: Path): string {
  const before = parent === undefined ? '' : printPath(parent);
  return typeof key === 'number' ? `${before}[${key}]` : `${before}.${key}`;
}

function clip(text: string, maxLength = maxMessageLength): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1)}…`;
}
