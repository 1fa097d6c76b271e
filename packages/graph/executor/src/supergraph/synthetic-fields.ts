// Makes `@requires` and `@fromContext` with arguments right, without changing the planner.
//
// The planner merges fields by response name and ignores their arguments, and composition rejects aliases in
// `@requires`. So `@requires(fields: "price(currency: EUR)")` and a client's `price(currency: USD)` would be
// one field to it, and whichever is fetched last becomes the input of the other. Here each field with
// arguments in a `@requires` or in the selection of a `@fromContext` becomes a field without arguments, one
// for each list of arguments. Only the planner sees them: a subgraph gets an alias of the real field, and a
// representation has the real field's name.
import type {
  ArgumentNode,
  ConstDirectiveNode,
  DocumentNode,
  FieldDefinitionNode,
  FieldNode,
  SelectionNode,
  SelectionSetNode,
} from 'graphql';
import { Kind } from 'graphql';

import { canonicalArguments, nameNode } from '../operation/graphql-document.ts';
import { parseFieldSet, printFieldSet } from './field-set.ts';
import { unusedPrefix } from './unused-prefix.ts';
import type { FieldedDefinition } from './join-directives.ts';
import {
  contextArguments,
  isFielded,
  stringArgument,
  withContextSelections,
  withStringArgument,
} from './join-directives.ts';
import { SupergraphError } from './supergraph-error.ts';

/** Each synthetic field's real field and its arguments. */
export type SyntheticFields = ReadonlyMap<string, SyntheticField>;

export interface SyntheticField {
  readonly fieldName: string;
  readonly arguments: readonly ArgumentNode[];
}

/** A type that has fields. Only its fields change. */
interface FieldedType {
  readonly definition: FieldedDefinition;
  readonly fields: Map<string, FieldDefinitionNode>;
}

/**
 * Adds synthetic fields to a supergraph, and puts them into its `@requires` and `@fromContext`.
 *
 * @throws {SupergraphError} where one `@requires` needs a field with two lists of arguments: a representation has one place; or where the
 *   types of a context need different selections
 */
export function addSyntheticFields(document: DocumentNode): {
  document: DocumentNode;
  fields: SyntheticFields;
} {
  const types = fieldedTypes(document);
  const synthetic = new SyntheticFieldBuilder(types, contextTypes(document));
  for (const type of types.values()) {
    // Fields that are added while the loop runs have theirs rewritten already.
    for (const field of type.fields.values()) {
      type.fields.set(field.name.value, synthetic.rewriteInputs(type, field));
    }
  }
  const definitions = document.definitions.map((definition) => {
    const type = isFielded(definition) ? types.get(definition.name.value) : undefined;
    return type === undefined ? definition : { ...type.definition, fields: [...type.fields.values()] };
  });
  return { document: { ...document, definitions }, fields: synthetic.fields };
}

class SyntheticFieldBuilder {
  readonly fields = new Map<string, SyntheticField>();
  readonly #types: ReadonlyMap<string, FieldedType>;
  readonly #contexts: ContextTypes;
  readonly #prefix: string;
  readonly #names = new Map<string, string>();

  constructor(types: ReadonlyMap<string, FieldedType>, contexts: ContextTypes) {
    this.#types = types;
    this.#contexts = contexts;
    this.#prefix = unusedPrefix(
      'r',
      [...types.values()].flatMap(({ fields }) => Array.from(fields.keys())),
    );
  }

  /** The field with what it requires and has from contexts in synthetic fields. */
  rewriteInputs(type: FieldedType, field: FieldDefinitionNode): FieldDefinitionNode {
    const typeName = type.definition.name.value;
    const place = `${typeName}.${field.name.value}`;
    return {
      ...field,
      directives: (field.directives ?? []).map((directive) =>
        this.#rewriteContexts(this.#rewriteRequires(directive, typeName, place), place),
      ),
    };
  }

  #rewriteRequires(directive: ConstDirectiveNode, typeName: string, place: string): ConstDirectiveNode {
    const requires = requiresOf(directive);
    return requires === undefined
      ? directive
      : withStringArgument(directive, 'requires', this.#rewriteText(requires, typeName, place));
  }

  #rewriteContexts(directive: ConstDirectiveNode, place: string): ConstDirectiveNode {
    if (contextArguments(directive).length === 0) {
      return directive;
    }
    return withContextSelections(directive, ({ context, selection }) => {
      const [rewritten, ...others] = new Set(
        (this.#contexts.get(context) ?? []).map((typeName) => this.#rewriteText(selection, typeName, place)),
      );
      if (others.length > 0) {
        throw new SupergraphError(
          `@fromContext of ${place} selects a field that has arguments in some types of the context only`,
        );
      }
      return rewritten === undefined ? selection : `{ ${rewritten} }`;
    });
  }

  #rewriteText(fieldSet: string, typeName: string, place: string): string {
    return printFieldSet(this.#rewriteFieldSet(parseFieldSet(fieldSet), typeName, place));
  }

  #rewriteFieldSet(set: SelectionSetNode, typeName: string, place: string): SelectionSetNode {
    const rewritten = set.selections.map((selection) => this.#rewriteSelection(selection, typeName, place));
    refuseTwoLists(rewritten, this.fields, place);
    return { ...set, selections: rewritten };
  }

  #rewriteSelection(selection: SelectionNode, typeName: string, place: string): SelectionNode {
    if (selection.kind === Kind.FRAGMENT_SPREAD) {
      return selection;
    }
    if (selection.kind === Kind.INLINE_FRAGMENT) {
      const condition = selection.typeCondition?.name.value ?? typeName;
      return { ...selection, selectionSet: this.#rewriteFieldSet(selection.selectionSet, condition, place) };
    }
    const field = this.#types.get(typeName)?.fields.get(selection.name.value);
    if (field === undefined) {
      return selection;
    }
    const below = selection.selectionSet && {
      selectionSet: this.#rewriteFieldSet(selection.selectionSet, namedTypeOf(field), place),
    };
    const name = hasArguments(field) ? this.#syntheticName(typeName, selection) : selection.name.value;
    return { kind: Kind.FIELD, name: nameNode(name), ...below };
  }

  /** The synthetic field for a field and its arguments, which is added to the type where it is not there yet. */
  #syntheticName(typeName: string, { name: { value: fieldName }, arguments: nodes = [] }: FieldNode): string {
    const key = `${fieldName}(${canonicalArguments(nodes)})`;
    let name = this.#names.get(key);
    if (name === undefined) {
      name = `${this.#prefix}${this.#names.size}_${fieldName}`;
      this.#names.set(key, name);
      this.fields.set(name, { fieldName, arguments: nodes });
    }
    this.#addField(typeName, fieldName, name);
    return name;
  }

  #addField(typeName: string, fieldName: string, name: string): void {
    const type = this.#types.get(typeName);
    const field = type?.fields.get(fieldName);
    if (type === undefined || field === undefined || type.fields.has(name)) {
      return;
    }
    const { arguments: _arguments, description: _description, ...copied } = field;
    const copy: FieldDefinitionNode = { ...copied, name: nameNode(name) };
    type.fields.set(name, copy);
    // A required field that requires others in its turn.
    type.fields.set(name, this.rewriteInputs(type, copy));
    if (type.definition.kind === Kind.INTERFACE_TYPE_DEFINITION) {
      for (const implementer of this.#implementersOf(typeName)) {
        this.#addField(implementer, fieldName, name);
      }
    }
  }

  #implementersOf(interfaceName: string): readonly string[] {
    return [...this.#types.values()]
      .filter(({ definition }) => definition.interfaces?.some(({ name }) => name.value === interfaceName))
      .map(({ definition }) => definition.name.value);
  }
}

function fieldedTypes({ definitions }: DocumentNode): ReadonlyMap<string, FieldedType> {
  return new Map(
    definitions
      .filter(isFielded)
      .map((definition) => [
        definition.name.value,
        { definition, fields: new Map((definition.fields ?? []).map((field) => [field.name.value, field])) },
      ]),
  );
}

/** The types of each context. */
type ContextTypes = ReadonlyMap<string, readonly string[]>;

function contextTypes({ definitions }: DocumentNode): ContextTypes {
  const types = new Map<string, readonly string[]>();
  for (const definition of definitions) {
    if (!isFielded(definition) && definition.kind !== Kind.UNION_TYPE_DEFINITION) {
      continue;
    }
    for (const directive of definition.directives ?? []) {
      const context = directive.name.value === 'context' ? stringArgument(directive, 'name') : undefined;
      if (context !== undefined) {
        types.set(context, [...(types.get(context) ?? []), definition.name.value]);
      }
    }
  }
  return types;
}

function requiresOf(directive: ConstDirectiveNode): string | undefined {
  return directive.name.value === 'join__field' ? stringArgument(directive, 'requires') : undefined;
}

function hasArguments({ arguments: definitions = [] }: FieldDefinitionNode): boolean {
  return definitions.length > 0;
}

function namedTypeOf({ type }: FieldDefinitionNode): string {
  let inner = type;
  while (inner.kind !== Kind.NAMED_TYPE) {
    inner = inner.type;
  }
  return inner.name.value;
}

function refuseTwoLists(selections: readonly SelectionNode[], fields: SyntheticFields, place: string): void {
  const names = new Map<string, string>();
  for (const selection of selections) {
    const name = selection.kind === Kind.FIELD ? selection.name.value : '';
    const real = fields.get(name)?.fieldName;
    if (real === undefined) {
      continue;
    }
    if ((names.get(real) ?? name) !== name) {
      throw new SupergraphError(`@requires of ${place} needs "${real}" with different arguments at once`);
    }
    names.set(real, name);
  }
}
