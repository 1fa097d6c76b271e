// The OpenAPI 3.1 document of a service, made from its routes: every served route is documented, with the schemas and
// scopes by which requests are checked.
import type { JsonObject } from '@meridian/json';
import { problemKinds } from '@meridian/problem-details';
import type { ProblemKind } from '@meridian/problem-details';

import { deprecationHeaders } from '../operation/deprecation.ts';
import {
  idempotentReplayedHeader,
  rateLimitHeaders,
  requestIdHeader,
  varyHeader,
  headersObject,
} from '../operation/headers.ts';
import type {
  Content,
  Operation,
  ParameterDescription,
  ResponseDescription,
} from '../operation/operation.ts';
import { createComponents } from './components.ts';
import type { Components } from './components.ts';
import { problemResponse, problemSchema } from './problem-response.ts';

/** The part of the document about the service as a whole. */
export interface ApiDescription {
  readonly title: string;
  readonly version: string;
  /** Markdown. */
  readonly description: string;
  /** The groups of operations, in display order. */
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  /** Where `<problemBaseUrl>/problems/<kind>` is served. */
  readonly problemBaseUrl: string;
}

/** The operations of a service by path and method, such as a table of routes. */
export type OperationTable = Readonly<
  Record<string, Readonly<Record<string, { readonly operation: Operation }>>>
>;

export function openApiDocument(api: ApiDescription, routes: OperationTable): JsonObject {
  const components = createComponents();
  const paths = Object.entries(routes).map(
    ([path, methods]) =>
      [path.replaceAll(/:(\w+)/g, '{$1}'), pathObject(methods, components, api.problemBaseUrl)] as const,
  );
  const { schemas, responses } = components.written();
  return {
    openapi: '3.1.0',
    info: {
      title: api.title,
      version: api.version,
      description: api.description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The server that this document is from.' }],
    tags: api.tags,
    paths: Object.fromEntries(paths),
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description:
            'A signed token of a trusted issuer (RFC 6750, RFC 9068). What each operation needs is a scope of it.',
        },
      },
      schemas: { ...schemas, Problem: problemSchema },
      responses,
    },
  };
}

function pathObject(
  methods: OperationTable[string],
  components: Components,
  problemBaseUrl: string,
): JsonObject {
  return Object.fromEntries(
    Object.entries(methods).map(([method, { operation }]) => [
      method.toLowerCase(),
      operationObject(operation, components, problemBaseUrl),
    ]),
  );
}

function operationObject(operation: Operation, components: Components, problemBaseUrl: string): JsonObject {
  const { id, summary, description, tag, scope, parameters = [], body, idempotencyKey } = operation;
  const all = idempotencyKey === undefined ? parameters : [...parameters, idempotencyKey];
  return {
    tags: [tag],
    operationId: id,
    deprecated: operation.deprecation && true,
    summary,
    description,
    security: scope === 'none' ? [] : [{ bearer: [scope] }],
    parameters: all.length === 0 ? undefined : all.map(parameterObject),
    requestBody: body && {
      required: operation.bodyIsOptional !== true,
      content: contentObject(body, components),
    },
    responses: {
      ...httpResponses(operation, components),
      ...problems(operation, components, problemBaseUrl),
    },
  };
}

function parameterObject({
  name,
  in: place,
  isRequired,
  description,
  schema,
}: ParameterDescription): JsonObject {
  return { name, in: place, required: isRequired, description, schema };
}

function contentObject(content: Content, { referToSchema }: Components): JsonObject {
  return Object.fromEntries(
    Object.entries(content).map(([mediaType, schema]) => [
      mediaType,
      { schema: schema.jsonSchema(referToSchema) },
    ]),
  );
}

/** The responses other than problems, by status. */
function httpResponses(operation: Operation, components: Components): JsonObject {
  return Object.fromEntries(
    Object.entries(operation.responses).map(([status, response]) => [
      status,
      responseObject(operation, response, components),
    ]),
  );
}

function responseObject(
  operation: Operation,
  { description, headers = [], content }: ResponseDescription,
  components: Components,
): JsonObject {
  const { scope, variesByAccept, idempotencyKey } = operation;
  return {
    description,
    headers: headersObject([
      requestIdHeader,
      ...(scope === 'none' ? [] : rateLimitHeaders),
      ...(variesByAccept === true ? [varyHeader] : []),
      ...(idempotencyKey === undefined ? [] : [idempotentReplayedHeader]),
      ...deprecationHeaders(operation, 'success'),
      ...headers,
    ]),
    content: content && contentObject(content, components),
  };
}

/** The responses that are problems, by status. Operations with the same kinds share them. */
function problems(operation: Operation, components: Components, problemBaseUrl: string): JsonObject {
  const byStatus = Map.groupBy(problemKindsOf(operation), (kind: ProblemKind) => problemKinds[kind].status);
  return Object.fromEntries(
    [...byStatus].map(([status, kinds]) => {
      const { name, response } = problemResponse({ status, kinds, operation, problemBaseUrl });
      return [status, components.referToResponse(name, response)];
    }),
  );
}

/**
 * Every kind of problem that an operation can return: its own, and those that follow from its inputs. 404
 * `route-not-found` and 405 `method-not-allowed` are not among them: they belong to no operation.
 */
function problemKindsOf(operation: Operation): readonly ProblemKind[] {
  const { scope, parameters = [], body, idempotencyKey, problems = [] } = operation;
  const kinds: readonly (ProblemKind | readonly ProblemKind[])[] = [
    [
      'malformed-request',
      'request-timeout',
      'path-too-long',
      'headers-too-large',
      'not-acceptable',
      'internal',
    ],
    scope === 'none'
      ? []
      : [
          ...(['authentication-required', 'invalid-token', 'insufficient-scope'] as const),
          ...(['throttled', 'unavailable', 'upstream-timeout'] as const),
        ],
    parameters.some((parameter) => parameter.in === 'query') ? ['invalid-parameter'] : [],
    body === undefined ? [] : ['unsupported-media-type', 'malformed-body'],
    idempotencyKey === undefined
      ? []
      : ['invalid-parameter', 'idempotency-key-reused', 'idempotency-key-in-flight'],
    problems,
  ];
  return [...new Set(kinds.flat())];
}
