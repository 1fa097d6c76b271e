import type { Program } from 'oxc-parser';
import { Visitor } from 'oxc-parser';

import { isRecord } from '@meridian/settings/values';

/** A name where it is declared. */
export interface DeclaredName {
  readonly name: string;
  readonly start: number;
}

/** The members of patterns that hold the patterns in them. The default of a pattern is not among them. */
const parts = ['properties', 'value', 'elements', 'left', 'argument', 'parameter'];

/** The names that a program declares: of variables, parameters, functions, classes, types and their members. */
export function declaredNames(program: Program): readonly DeclaredName[] {
  const names: DeclaredName[] = [];
  const add = (pattern: unknown): void => {
    if (Array.isArray(pattern)) {
      pattern.forEach(add);
    } else if (isRecord(pattern)) {
      const { type, name, start } = pattern;
      if (String(type).endsWith('Identifier') && typeof name === 'string' && typeof start === 'number') {
        names.push({ name, start });
      }
      parts.forEach((part) => add(pattern[part]));
    }
  };
  const addId = ({ id }: { readonly id: unknown }): void => add(id);
  const addParameters = ({ params }: { readonly params: unknown }): void => add(params);
  const addFunction = ({ id, params }: { readonly id: unknown; readonly params: unknown }): void =>
    add([id, params]);
  const addKey = ({ key, computed }: { readonly key: unknown; readonly computed: boolean }): void =>
    add(computed ? [] : key);
  new Visitor({
    VariableDeclarator: addId,
    FunctionDeclaration: addFunction,
    FunctionExpression: addFunction,
    TSDeclareFunction: addFunction,
    ArrowFunctionExpression: addParameters,
    TSFunctionType: addParameters,
    CatchClause: ({ param }) => add(param),
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
