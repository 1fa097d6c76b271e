import type { Scope } from '@meridian/auth';
import type { JsonObject, ReadableSchema } from '@meridian/json';
import type { ProblemKind } from '@meridian/problem-details';

/**
 * The description of a resource's method, for its callers. It is beside the handler; the service enforces the
 * scope and reads bodies and parameters by the very values that are described here.
 *
 * Common parts are not repeated in each operation: problems of identity, framing and bodies come from
 * `problemKindsOf`, their header fields from `problemResponse`, and `Request-Id` is everywhere.
 */
export interface Operation {
  /** Unique in the service, such as `getAccount`: generated clients name their methods after it. */
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  /** The group in the document; one of the service's tags. */
  readonly tag: string;
  /** The required scope; `'none'` for an operation without a token. */
  readonly scope: Scope | 'none';
  /** Where it is retired: its responses and the document say so. */
  readonly deprecation?: Deprecation;
  readonly parameters?: readonly ParameterDescription[];
  /** The schemas of the request's body, by media type. */
  readonly body?: Content;
  /** True where a request without a body is one with an empty object. */
  readonly bodyIsOptional?: boolean;
  /** The responses other than problems, by status. */
  readonly responses: Readonly<Record<number, ResponseDescription>>;
  /** The kinds of problem that only this operation causes. */
  readonly problems?: readonly ProblemKind[];
  /** Header fields of its problems by status, such as `Accept-Patch` on a 415. */
  readonly problemHeaders?: Readonly<Record<number, readonly HeaderDescription[]>>;
  /** True when `Accept` chooses among several representations, so that responses have `Vary: Accept`. */
  readonly variesByAccept?: boolean;
  /** The header `Idempotency-Key`, if the operation takes it. */
  readonly idempotencyKey?: ParameterDescription;
}

/** The retirement of an operation or of a representation, as it is announced. */
export interface Deprecation {
  /** From when it is deprecated; it may be in the future. */
  readonly since: Date;
  /** From when it is expected not to respond; not before `since`. */
  readonly sunset?: Date;
  /** The URL of a page about it: what takes its place. */
  readonly link?: string;
}

/** The schemas of bodies, by media type. */
export type Content = Readonly<Record<string, MediaTypeDescription>>;

export interface MediaTypeDescription extends Pick<ReadableSchema<unknown>, 'jsonSchema'> {
  /** Where the representation is retired, by `deprecated`. */
  readonly deprecation?: Deprecation;
}

export interface ResponseDescription {
  readonly description: string;
  readonly headers?: readonly HeaderDescription[];
  /** Absent for a response without a body. */
  readonly content?: Content;
}

export interface ParameterDescription {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly isRequired: boolean;
  readonly description: string;
  readonly schema: JsonObject;
}

/** A part of the path, which handlers find by its name. */
export interface PathParameter<Name extends string> extends ParameterDescription {
  readonly name: Name;
  readonly in: 'path';
}

/** A header field of a response. */
export interface HeaderDescription {
  readonly name: string;
  /** True when every response of the status has it. */
  readonly isRequired: boolean;
  readonly description: string;
  readonly schema: JsonObject;
}
