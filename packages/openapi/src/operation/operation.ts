import type { Scope } from '@meridian/auth';
import type { JsonObject, ReadableSchema } from '@meridian/json';
import type { ProblemKind } from '@meridian/problem-details';

/**
 * What a method of a resource does, for whoever calls it. It stands beside the handler; the service enforces the scope and reads
 * bodies and parameters by the very values that are described here.
 *
 * What operations have in common is not repeated in each: problems of identity, framing and bodies come by `problemKindsOf`, their
 * header fields by `problemResponse`, and `Request-Id` is everywhere.
 */
export interface Operation {
  /** Unique in the service, such as `getAccount`: generated clients name their methods after it. */
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  /** The group that it is shown in; one of the service's tags. */
  readonly tag: string;
  /** The scope that a caller needs; `'none'` for what answers without a token. */
  readonly scope: Scope | 'none';
  readonly parameters?: readonly ParameterDescription[];
  /** The body of the request by media type. */
  readonly body?: Content;
  /** The answers that are no problem, by status. */
  readonly responses: Readonly<Record<number, ResponseDescription>>;
  /** The kinds of problem that are this operation's own. */
  readonly problems?: readonly ProblemKind[];
  /** Header fields that its problems of a status have, such as `Accept-Patch` on a 415. */
  readonly problemHeaders?: Readonly<Record<number, readonly HeaderDescription[]>>;
  /** Whether `Accept` chooses among several representations, so that answers carry `Vary: Accept`. */
  readonly varies?: boolean;
  /** The header `Idempotency-Key`, where the operation takes it. */
  readonly idempotencyKey?: ParameterDescription;
}

/** What bodies look like, by media type. */
export type Content = Readonly<Record<string, Pick<ReadableSchema<unknown>, 'schema'>>>;

export interface ResponseDescription {
  readonly description: string;
  readonly headers?: readonly HeaderDescription[];
  /** Absent for an answer without a body. */
  readonly content?: Content;
}

export interface ParameterDescription {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly isRequired: boolean;
  readonly description: string;
  readonly schema: JsonObject;
}

/** A header field of an answer. */
export interface HeaderDescription {
  readonly name: string;
  /** Whether every such answer has it. */
  readonly isRequired: boolean;
  readonly description: string;
  readonly schema: JsonObject;
}
