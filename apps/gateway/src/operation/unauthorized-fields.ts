import type { GraphQLOutputType } from 'graphql';

/**
 * The fields that an operation selects and its caller may not see, as a tree of response names. In their place the executor
 * is asked for `__typename` under a placeholder's name, so that the answer shows where and in what order nulls belong.
 */
export interface UnauthorizedFields {
  /** By placeholder. */
  readonly unauthorized: ReadonlyMap<string, UnauthorizedField>;
  /** By response name: the fields that have withheld ones below them. */
  readonly below: ReadonlyMap<
    string,
    { readonly type: GraphQLOutputType; readonly fields: UnauthorizedFields }
  >;
}

export interface UnauthorizedField {
  readonly responseName: string;
  readonly isNonNull: boolean;
}
