import type { Program } from 'oxc-parser';
import { Visitor } from 'oxc-parser';
import { isRecord } from '@meridian/settings/values';

import type { ProseFault, ProseFile } from './prose-file.ts';
import { faultAt } from './prose-file.ts';

/** The declared names of a file that have a word which docs/glossary.md says not to use. */
export function nameFaults(file: ProseFile): ProseFault[] {
  const names = file.code === undefined ? [] : declaredNames(file.code.program);
  return names
    .filter(({ name }) => !allowedNames.some((one) => one.name.test(name) && one.path.test(file.path)))
    .flatMap(({ name, start }) => {
      const found = bannedIn(name);
      return found === undefined ? [] : [faultAt(file, start, name, found.instead)];
    });
}

function bannedIn(name: string): BannedWords | undefined {
  const words = name.split(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[_$]/u);
  return bannedWords.find(({ pattern }) => words.some((word) => pattern.test(word.toLowerCase())));
}

/** Words of identifiers. */
interface BannedWords {
  /** Matches a word, in lower case. */
  readonly pattern: RegExp;
  readonly instead: string;
}

/** Refused among the words of a declared name: the last column of docs/glossary.md, and other names of a bound. */
const bannedWords: readonly BannedWords[] = [
  { pattern: /^(?:refusals?)$/u, instead: 'rejection, requestError, problem' },
  { pattern: /^(?:questions?)$/u, instead: 'request, call, query' },
  { pattern: /^(?:asked|askers?)$/u, instead: 'requested, requests, caller' },
  { pattern: /^(?:answer(?:s|ed|ing)?)$/u, instead: 'response, respond' },
  { pattern: /^taken$/u, instead: 'used, accepted, read: what was done' },
  { pattern: /^patience$/u, instead: 'timeout' },
  { pattern: /^dear(?:er|est)?$/u, instead: 'expensive' },
  { pattern: /^(?:lend|lent|loans?|borrow(?:ed|ers?)?)$/u, instead: 'acquire, release, holders' },
  { pattern: /^behind$/u, instead: 'after' },
  { pattern: /^(?:longest|most|largest)$/u, instead: 'max…: maxTextLength, maxWaitMs' },
];

/** A name that may stay. */
interface AllowedName {
  readonly name: RegExp;
  readonly path: RegExp;
  readonly reason: string;
}

const allowedNames: readonly AllowedName[] = [
  {
    name: /^(?:most[A-Z][a-z]+(?:ive|ific)|longestLife)$/u,
    path: /./u,
    reason: 'a superlative, not a bound',
  },
  { name: /Behind[A-Z]/u, path: /./u, reason: 'a place in a network, not an order' },
  { name: /^refusal$/u, path: /^apps\/accounts\/src\/store\//u, reason: 'a column of its functions' },
  { name: /^questions?$/u, path: /^tools\/(?:commands\/)?graph/u, reason: 'of `pnpm graph <question>`' },
];

/** A name where it is declared. */
interface DeclaredName {
  readonly name: string;
  readonly start: number;
}

/** The members of patterns that hold the patterns in them. The default of a pattern is not among them. */
const parts = ['properties', 'value', 'elements', 'left', 'argument', 'parameter'];

/** The names that a program declares: of variables, parameters, functions, classes, types and their members. */
function declaredNames(program: Program): readonly DeclaredName[] {
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
