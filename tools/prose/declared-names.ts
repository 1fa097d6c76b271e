import type { BindingPattern, ParamPattern, Program, PropertyKey, TSParameterProperty } from 'oxc-parser';
import { Visitor } from 'oxc-parser';

/** A name where it is declared. */
export interface DeclaredName {
  readonly name: string;
  readonly start: number;
}

/** The names that a program declares: of variables, parameters, functions, classes, types and their members. */
export function declaredNames(program: Program): readonly DeclaredName[] {
  const names: DeclaredName[] = [];
  const add = (node: DeclaredName | null): void => {
    if (node !== null) {
      names.push({ name: node.name, start: node.start });
    }
  };
  const addBound = (pattern: BindingPattern | ParamPattern | TSParameterProperty): void => {
    switch (pattern.type) {
      case 'Identifier':
        add(pattern);
        break;
      case 'ObjectPattern':
        for (const property of pattern.properties) {
          addBound(property.type === 'RestElement' ? property.argument : property.value);
        }
        break;
      case 'ArrayPattern':
        for (const element of pattern.elements) {
          if (element !== null) {
            addBound(element);
          }
        }
        break;
      case 'AssignmentPattern':
        addBound(pattern.left);
        break;
      case 'RestElement':
        addBound(pattern.argument);
        break;
      case 'TSParameterProperty':
        addBound(pattern.parameter);
    }
  };
  const addKey = ({ key, computed }: { readonly key: PropertyKey; readonly computed: boolean }): void => {
    if (!computed && (key.type === 'Identifier' || key.type === 'PrivateIdentifier')) {
      add(key);
    }
  };
  const addFunction = (node: {
    readonly id: DeclaredName | null;
    readonly params: readonly (ParamPattern | TSParameterProperty)[];
  }): void => {
    add(node.id);
    node.params.forEach(addBound);
  };
  const addId = ({ id }: { readonly id: DeclaredName | null }): void => add(id);
  const addParameters = ({ params }: { readonly params: readonly ParamPattern[] }): void =>
    params.forEach(addBound);
  new Visitor({
    VariableDeclarator: ({ id }) => addBound(id),
    FunctionDeclaration: addFunction,
    FunctionExpression: addFunction,
    TSDeclareFunction: addFunction,
    ArrowFunctionExpression: addParameters,
    TSFunctionType: addParameters,
    CatchClause({ param }) {
      if (param !== null) {
        addBound(param);
      }
    },
    ClassDeclaration: addId,
    TSInterfaceDeclaration: addId,
    TSTypeAliasDeclaration: addId,
    PropertyDefinition: addKey,
    MethodDefinition: addKey,
    TSPropertySignature: addKey,
    TSMethodSignature(node) {
      addKey(node);
      addParameters(node);
    },
  }).visit(program);
  return names;
}
