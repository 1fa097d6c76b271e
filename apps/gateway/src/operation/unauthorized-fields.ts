import type { GraphQLOutputType } from 'graphql';

/**
 * The unauthorized fields of an operation, as a tree of response names. The executor gets `__typename` under a
 * placeholder's name instead, so that its result shows where and in which order nulls belong.
 */
export interface UnauthorizedFields {
  /** By placeholder, or in a dry run by response name. */
  readonly unauthorized: ReadonlyMap<string, UnauthorizedField>;
  /** By response name: the fields with unauthorized fields below them. */
  readonly below: ReadonlyMap<
    string,
    { readonly type: GraphQLOutputType; readonly fields: UnauthorizedFields }
  >;
}

export interface UnauthorizedField {
  readonly responseName: string;
  readonly isNonNull: boolean;
  /** In words, such as `the scope stock:write`. */
  readonly requirement: string;
  /** True in a dry run: the caller gets the field, and an error. */
  readonly isShown: boolean;
}
